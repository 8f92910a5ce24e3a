//! run -> 0
//! run HIRACE_SEED=1 -> 0
//! run HIRACE_JOBS=2 -> 0
// The functions __nv_atomic_*: their values, in all scopes, for types of all sizes.
#include "check.h"

constexpr unsigned blocks = 2, threads = 16, all = blocks * threads;
constexpr int scopes[] = {__NV_THREAD_SCOPE_DEVICE, __NV_THREAD_SCOPE_SYSTEM};

template <class T>
void sums() {
  T* const values = managed<T>(8);
  values[3] = static_cast<T>(~T{0});
  launch("sums", blocks, threads, 0, [=] {
    const int scope = scopes[threadIdx.x % 2];
    __nv_atomic_fetch_add(&values[0], 2, __NV_ATOMIC_RELAXED, scope);
    __nv_atomic_fetch_sub(&values[1], 1, __NV_ATOMIC_SEQ_CST, scope);
    __nv_atomic_fetch_max(&values[2], threadIdx.x, __NV_ATOMIC_RELAXED, scope);
    __nv_atomic_fetch_and(&values[3], ~(T{1} << threadIdx.x % 8), __NV_ATOMIC_ACQUIRE, scope);
    __nv_atomic_fetch_or(&values[4], T{1} << threadIdx.x % 8, __NV_ATOMIC_RELEASE, scope);
    __nv_atomic_fetch_xor(&values[5], 1, __NV_ATOMIC_ACQ_REL, scope);
    __nv_atomic_fetch_min(&values[6], -static_cast<int>(threadIdx.x), __NV_ATOMIC_RELAXED);
    T seen = __nv_atomic_load_n(&values[7], __NV_ATOMIC_RELAXED);
    while (!__nv_atomic_compare_exchange_n(&values[7], &seen, static_cast<T>(seen + 1), true, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED, scope)) {
    }
  });
  CHECK(values[0] == T(2 * all) && values[1] == T(0) - T(all) && values[2] == T(threads - 1));
  CHECK(values[3] == T(~0xffull) && values[4] == T(0xff) && values[5] == 0 && values[7] == T(all));
  CHECK(values[6] == (T(-1) < T(0) ? T(0) - T(threads - 1) : 0));
}

struct Pair {
  float first, second;
};

template <class T>
void moves(T one, T two) {
  T* const values = managed<T>(4);
  launch("moves", 1, 1, 0, [=] {
    T given = one, result, other = two;
    __nv_atomic_store(&values[0], &given, __NV_ATOMIC_RELEASE);
    __nv_atomic_exchange(&values[0], &other, &result, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_THREAD);
    __nv_atomic_store(&values[1], &result, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_CLUSTER);
    __nv_atomic_load(&values[0], &values[2], __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_BLOCK);
    T expected = one;
    CHECK(!__nv_atomic_compare_exchange(&values[0], &expected, &given, false, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_ACQUIRE));
    CHECK(__nv_atomic_compare_exchange(&values[0], &expected, &given, false, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_ACQUIRE));
    values[3] = expected;
    __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST);
    __nv_atomic_thread_fence(__NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_BLOCK);
  });
  const auto equal = [](const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; };
  CHECK(equal(values[0], one) && equal(values[1], one) && equal(values[2], two) && equal(values[3], two));
}

int main() {
  sums<int>();
  sums<unsigned>();
  sums<long>();
  sums<unsigned long long>();
  moves<signed char>(3, -4);
  moves<unsigned short>(3, 60000);
  moves<float>(1.5f, -0.0f);
  moves<Pair>({1, 2}, {3, 4});
  moves<uint4>({1, 2, 3, 4}, {5, 6, 7, 8});
  float* const sum = managed<float>(1);
  launch("floats", blocks, threads, 0, [=] { __nv_atomic_fetch_add(sum, 0.5f, __NV_ATOMIC_RELAXED); });
  CHECK(*sum == all / 2);
  return 0;
}
