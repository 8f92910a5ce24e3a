//! Loads, stores, updates, and expressions that are none of these.

use expect_test::expect;

use crate::{body, check};

#[test]
fn postfix_operators_bind_first() {
    check(
        "__global__ void k(int* a, int i, S* s) {
  if (!a[i]++) a[0] = -a[1]-- - +a[2]++; a[3] = - ~ - s->v++; a[4] = !*a++ + (int)a[5]++ + !--a[6];
}
",
        expect![[r#"
            __global__ void k(int* a, int i, S* s) {
              if (!U0(a[i])++) W1(a[0]) = -U2(a[1])-- - +U3(a[2])++; W4(a[3]) = - ~ - U5(s->v)++; W6(a[4]) = !R7(*a++) + (int)U8(a[5])++ + !--U9(a[6]);
            }
        "#]],
    );
}

#[test]
fn subscripts() {
    body("a[i] = b[i];", expect!["W0(a[i]) = R1(b[i]);"]);
    body(
        "a[i] += b[idx[i]];",
        expect!["U0(a[i]) += R1(b[R2(idx[i])]);"],
    );
    body(
        "a[i]++; --a[i]; a[i] <<= 1;",
        expect!["U0(a[i])++; --U1(a[i]); U2(a[i]) <<= 1;"],
    );
    body(
        "a[i] = a[i + 1] = b[0];",
        expect!["W0(a[i]) = W1(a[i + 1]) = R2(b[0]);"],
    );
    body(
        "rows[i][n] = rows[n][i];",
        expect!["W0(R1(rows[i])[n]) = R2(R3(rows[n])[i]);"],
    );
    body("i[a] = 1;", expect!["W0(i[a]) = 1;"]);
}

#[test]
fn pointers() {
    body(
        "*a = *b + **rows;",
        expect!["W0(*a) = R1(*b) + R2(*R3(*rows));"],
    );
    body("*a++ = *(b + i);", expect!["W0(*a++) = R1(*(b + i));"]);
    body(
        "T* p = &a[3]; p[i] = *p; p = a + i;",
        expect!["T* p = &a[3]; W0(p[i]) = copy1(*p); p = a + i;"],
    );
    body(
        "const float* q = rows[i]; q += n; x = *q;",
        expect!["const float* q = R0(rows[i]); q += n; x = R1(*q);"],
    );
    body(
        "(*g).count = (&g[1])->count;",
        expect!["W0((*g).count) = R1((&g[1])->count);"],
    );
}

#[test]
fn members() {
    body(
        "g->count = g->next->count;",
        expect!["W0(g->count) = R1(R2(g->next)->count);"],
    );
    body(
        "g[i].pos.x += g->row[i];",
        expect!["U0(g[i].pos.x) += R1(R2(g->row)[i]);"],
    );
    body(
        "g->vals[i] = g->pos.y;",
        expect!["W0(g->vals[i]) = R1(g->pos.y);"],
    );
    body(
        "x = val.count; val.row[i] = val.vals[0];",
        expect!["x = val.count; W0(val.row[i]) = val.vals[0];"],
    );
    body(
        "V v = g->pos; v.x = 1; g->pos = v;",
        expect!["V v = copy0(g->pos); v.x = 1; W1(g->pos) = v;"],
    );
    body(
        "g->flag = 1; x = g[i].flag;",
        expect![
            "write_bits0(*(g), [](auto& hirace_object) { HIRACE_FILL(flag) }).flag = 1; x = read_bits1(g[i], [](auto& hirace_object) { HIRACE_FILL(flag) }).flag;"
        ],
    );
}

#[test]
fn addresses_are_no_accesses() {
    body(
        "p = &a[i]; q = &g->pos.x; r = &g->next->count;",
        expect!["p = &a[i]; q = &g->pos.x; r = &R0(g->next)->count;"],
    );
    body(
        "x = sizeof(a[i]) + sizeof a[0]; decltype(a[i]) y = 0;",
        expect!["x = sizeof(a[i]) + sizeof a[0]; decltype(a[i]) y = 0;"],
    );
    body(
        "static_assert(sizeof(a[0]) == 4); int z[sizeof(a[0])];",
        expect!["static_assert(sizeof(a[0]) == 4); int z[sizeof(a[0])];"],
    );
    body("a[i]; (void)a[i];", expect!["a[i]; (void)a[i];"]);
    body(
        "p = &*a; q = &a[idx[i]];",
        expect!["p = &*a; q = &a[R0(idx[i])];"],
    );
}

#[test]
fn local_objects_are_no_accesses() {
    body(
        "float acc[4] = {0}; acc[i] += a[i]; a[i] = acc[0];",
        expect!["float acc[4] = {0}; acc[i] += R0(a[i]); W1(a[i]) = acc[0];"],
    );
    body(
        "T m[2][2]; m[0][1] = m[1][0]; V vs[3]; vs[i].x = 1;",
        expect!["T m[2][2]; m[0][1] = m[1][0]; V vs[3]; vs[i].x = 1;"],
    );
    body(
        "T* ps[2] = {a, a + 1}; ps[0][i] = *ps[1];",
        expect!["T* ps[2] = {a, a + 1}; W0(ps[0][i]) = copy1(*ps[1]);"],
    );
    body(
        "float4 v; v.x = threadIdx.x; v.y = v.x;",
        expect!["float4 v; v.x = threadIdx.x; v.y = v.x;"],
    );
    body(
        "float acc[2]; { float* acc = a; acc[i] = 1; } acc[0] = 2;",
        expect!["float acc[2]; { float* acc = a; W0(acc[i]) = 1; } acc[0] = 2;"],
    );
}

#[test]
fn conditional_and_comma() {
    body(
        "x = a[i] ? a[0] : b[1];",
        expect!["x = R0(a[i]) ? copy1(a[0]) : R2(b[1]);"],
    );
    body(
        "(i ? a[0] : a[1]) = 3; (i, a[2]) = 4;",
        expect!["W0((i ? a[0] : a[1])) = 3; (i, W1(a[2])) = 4;"],
    );
    body("x=i?b[0]:b[1];", expect!["x=i?R0(b[0]): R1(b[1]);"]);
    body(
        "p = &(i ? a[0] : a[1]);",
        expect!["p = &(i ? a[0] : a[1]);"],
    );
    body(
        "for (i = 0, n = a[0]; i < a[1]; i++, a[2]++) ;",
        expect!["for (i = 0, n = R0(a[0]); i < R1(a[1]); i++, U2(a[2])++) ;"],
    );
}

#[test]
fn casts() {
    body(
        "x = (float)a[i] + float(a[0]) + static_cast<int>(a[1]);",
        expect!["x = (float)R0(a[i]) + float(R1(a[0])) + static_cast<int>(R2(a[1]));"],
    );
    body(
        "*(int4*)&a[i] = *reinterpret_cast<const int4*>(b + i);",
        expect!["W0(*(int4*)&a[i]) = copy1(*reinterpret_cast<const int4*>(b + i));"],
    );
    body(
        "reinterpret_cast<float4*>(a)[i] = ((float4*)b)[i];",
        expect!["W0(reinterpret_cast<float4*>(a)[i]) = copy1(((float4*)b)[i]);"],
    );
    body(
        "(int&)a[i] = 3; reinterpret_cast<int&>(a[1]) = 4; x = (int&)a[2];",
        expect!["(int&)W0(a[i]) = 3; W1(reinterpret_cast<int&>(a[1])) = 4; x = R2((int&)a[2]);"],
    );
    body(
        "x = (T)*b + (T)b[1] + (T)-a[2];",
        expect!["x = (T)R0(*b) + (T)R1(b[1]) + (T)-R2(a[2]);"],
    );
    body(
        "x = (n)*a[i] + (n)-a[1];",
        expect!["x = (n)*R0(a[i]) + (n)-R1(a[1]);"],
    );
    body(
        "p = (T)&a[i]; q = (const char*)a;",
        expect!["p = (T)&a[i]; q = (const char*)a;"],
    );
}

#[test]
fn comparisons_are_no_template_arguments() {
    body(
        "if (i < n && n > (a[0])) a[i] = 1;",
        expect!["if (i < n && n > (R0(a[0]))) W1(a[i]) = 1;"],
    );
    body(
        "if (a[i] < b[i] && a[1] > b[2]) a[i] = 1;",
        expect!["if (R0(a[i]) < R1(b[i]) && R2(a[1]) > R3(b[2])) W4(a[i]) = 1;"],
    );
}

#[test]
fn statements() {
    body(
        "if (a[0]) a[1] = 1; else if (int q = idx[2]) a[q] = 2;",
        expect!["if (R0(a[0])) W1(a[1]) = 1; else if (int q = R2(idx[2])) W3(a[q]) = 2;"],
    );
    body(
        "while (a[i] > 0) a[i]--; do a[i]++; while (a[i] < 3);",
        expect!["while (R0(a[i]) > 0) U1(a[i])--; do U2(a[i])++; while (R3(a[i]) < 3);"],
    );
    body(
        "switch (idx[i]) { case 1: a[0] = 1; break; default: a[1] = 2; }",
        expect!["switch (R0(idx[i])) { case 1: W1(a[0]) = 1; break; default: W2(a[1]) = 2; }"],
    );
    body(
        "for (int j = idx[0]; j < idx[1]; ++j) a[j] = j;",
        expect!["for (int j = R0(idx[0]); j < R1(idx[1]); ++j) W2(a[j]) = j;"],
    );
    body(
        "if constexpr (N > 2) a[0] = 1;",
        expect!["if constexpr (N > 2) W0(a[0]) = 1;"],
    );
    body(
        "if (auto q = idx[0]; q > idx[1]) a[q] = 0;",
        expect!["if (auto q = R0(idx[0]); q > R1(idx[1])) W2(a[q]) = 0;"],
    );
    body(
        "again: a[i] = 1; if (a[0]) goto again;",
        expect!["again: W0(a[i]) = 1; if (R1(a[0])) goto again;"],
    );
    body("return;", expect!["return;"]);
}

#[test]
fn operands_of_operators() {
    body(
        "a[i] = -b[0] + !b[1] * ~idx[2] % (b[3] - b[4]);",
        expect!["W0(a[i]) = -R1(b[0]) + !R2(b[1]) * ~R3(idx[2]) % (R4(b[3]) - R5(b[4]));"],
    );
    body(
        "x = b[0] && b[1] || b[2] == b[3];",
        expect!["x = R0(b[0]) && R1(b[1]) || R2(b[2]) == R3(b[3]);"],
    );
    body(
        "V v = V{b[0], b[1]}; V w = {b[2], b[3]}; g->pos = {b[4], 0};",
        expect![
            "V v = V{R0(b[0]), R1(b[1])}; V w = {R2(b[2]), R3(b[3])}; W4(g->pos) = {R5(b[4]), 0};"
        ],
    );
}

#[test]
fn members_that_are_references() {
    check(
        "struct Temp { float total; float part[4]; };
struct Holder { Temp& s; float (&arr)[4]; float own; };
template <class T> __global__ void k(float* a, T unknown, float4 v) {
  __shared__ Temp t;
  Holder h{t, t.part};
  h.s.total = h.arr[1] + h.own; auto& r = h.s; r.total = 1;
  auto& [s, arr, own] = h; s.total = own; auto [x, y] = v; y = x;
  auto use = [&] { h.s.total = 2; };
  unknown.s.total = unknown.own;
}
",
        expect![[r#"
            struct Temp { float total; float part[4]; };
            struct Holder { Temp& s; float (&arr)[4]; float own; };
            template <class T> __global__ void k(float* a, T unknown, float4 v) {
              typedef Temp hirace_shared_0; hirace_shared_0& t = cpu::shared<hirace_shared_0, 0x00100000u>();
              Holder h{read_into<Holder, 0, 2>(0x00100000u, t), t.part};
              W1(h.s.total) = R2(h.arr[1]) + h.own; auto& r = h.s; W3(r.total) = 1;
              auto& [s, arr, own] = h; W4(s.total) = R5(own); auto [x, y] = v; y = x;
              auto use = [&] { W6(h.s.total) = 2; };
              W7(unknown.s.total) = unknown.own;
            }
        "#]],
    );
}

#[test]
fn calls_of_lambdas() {
    body(
        "auto at = [&](int j) -> T& { return a[j]; }; at(i) = at(n) + 1; at(0) += 2;",
        expect![
            "auto at = [&](int j) -> T& { return a[j]; }; W0(at(i)) = R1(at(n)) + 1; U2(at(0)) += 2;"
        ],
    );
    body(
        "auto get = [&](int j) { return a[j]; }; x = get(i); auto any = [=](int j) -> decltype(auto) { return (a[j]); }; x = any(i);",
        expect![
            "auto get = [&](int j) { return copy0(a[j]); }; x = get(i); auto any = [=](int j) -> decltype(auto) { return (a[j]); }; x = copy1(any(i));"
        ],
    );
}

#[test]
fn objects_made_in_place() {
    body(
        "new (&g[i].pos) V{1, 2}; new (a + i) T(a[0]); T* p = new (idx) T; V* q = new V{b[0], b[1]};",
        expect![
            "new (made<V>(0x00100000u, &g[i].pos)) V{1, 2}; new (made<T>(0x00100002u, a + i)) T(read_into<T, 0, 1>(0x00100001u, a[0])); T* p = new (idx) T; V* q = new (cpu::kernel_heap) V{R3(b[0]), R4(b[1])};"
        ],
    );
}

#[test]
fn tuples_of_references() {
    body(
        "std::tie(a[0], a[1]) = f(a[2]); std::tuple<T&> t(a[0]); std::get<0>(t) = a[1];",
        expect![
            "std::tie(W0(a[0]), W1(a[1])) = f(read_argument2(a[2])); std::tuple<T&> t(read_into<typename std::tuple<T&>, 0, 1>(0x00100003u, a[0])); W4(std::get<0>(t)) = copy5(a[1]);"
        ],
    );
}

#[test]
fn references_by_decltype_auto() {
    body(
        "decltype(auto) r = (a[i]); r = 1; decltype(auto) v = g->pos; v.x = 1;",
        expect!["decltype(auto) r = (a[i]); W0(r) = 1; decltype(auto) v = copy1(g->pos); v.x = 1;"],
    );
}

#[test]
fn references_by_aliases() {
    body(
        "using R = int&; typedef int& Q; R r = a[i]; r = 1; Q q(a[1]); q = 2; R p{a[2]}; p = 3; const R o = a[3]; x = o;",
        expect![
            "using R = int&; typedef int& Q; R r = a[i]; W0(r) = 1; Q q(a[1]); W1(q) = 2; R p{a[2]}; W2(p) = 3; const R o = a[3]; x = copy3(o);"
        ],
    );
}

#[test]
fn references_by_decltype_of_lvalues() {
    body(
        "decltype(a[0]) r = a[i]; r = 1; decltype(*a) q = a[2]; q = 2; decltype(g->pos) v = g->pos; v.x = 1; decltype(1 + a[0]) s = a[i]; s = 1;",
        expect![
            "decltype(a[0]) r = a[i]; W0(r) = 1; decltype(*a) q = a[2]; W1(q) = 2; decltype(g->pos) v = copy2(g->pos); v.x = 1; decltype(1 + a[0]) s = copy3(a[i]); s = 1;"
        ],
    );
}

#[test]
fn results_of_computed_types() {
    check(
        "template <class T> __device__ auto f(T* a, int i) -> decltype(a[i] + 0) { return a[i]; }\n\
         template <class T> __device__ auto g(T* a, int i) -> decltype(a[i]) { return a[i]; }\n\
         __device__ decltype(auto) h(int* a, int i) { return (a[i]); }\n",
        expect![[r#"
            template <class T> __device__ auto f(T* a, int i) -> decltype(a[i] + 0) { return read_into<decltype(a[i] + 0), 0, 1>(0x00100000u, a[i]); }
            template <class T> __device__ auto g(T* a, int i) -> decltype(a[i]) { return read_into<decltype(a[i]), 0, 1>(0x00100001u, a[i]); }
            __device__ decltype(auto) h(int* a, int i) { return (a[i]); }
        "#]],
    );
}
