//! Calls of cuRAND's functions for kernels, and of `nvcuda::wmma`.

use expect_test::expect;

use crate::{body, check, check_gpu};

#[test]
fn states_of_generators() {
    body(
        "curand_init(idx[0], i, 0, &states[i]); x = curand_uniform(&states[i]) + curand_normal(p);",
        expect![
            "curand_init(R0(idx[0]), i, 0, new_generator_state1(&states[i])); x = curand_uniform(generator_state2(&states[i])) + curand_normal(generator_state3(p));"
        ],
    );
    body(
        "curandState own; curand_init(1, i, 0, &own); x = curand_uniform(&own); skipahead(a[0], p);",
        expect![
            "curandState own; curand_init(1, i, 0, &own); x = curand_uniform(&own); skipahead(R0(a[0]), generator_state1(p));"
        ],
    );
    body(
        "curand_init(vectors[i], 0, &p[i]); curand_init(idx[i], 1, 2, p); mine::curand(a[0]);",
        expect![
            "curand_init(direction_vectors0(R1(vectors[i])), 0, new_generator_state2(&p[i])); curand_init(R3(idx[i]), 1, 2, new_generator_state4(p)); mine::curand(read_argument5(a[0]));"
        ],
    );
}

#[test]
fn functions_with_the_names_of_curand() {
    check(
        "__device__ float curand_uniform(float a) { return a; }
__global__ void k(float* a) { a[0] = curand_uniform(a[1]); }
",
        expect![[r#"
            __device__ float curand_uniform(float a) { return a; }
            __global__ void k(float* a) { W0(a[0]) = curand_uniform(R1(a[1])); }
        "#]],
    );
}

#[test]
fn matrix_fragments() {
    let text = "__global__ void k(const half* a, float* c) {
  wmma::load_matrix_sync(left, a + 16, 16);
  nvcuda::wmma::mma_sync(sum, left, right, sum);
  store_matrix_sync(&c[8], sum, 16, wmma::mem_row_major);
}
";
    check(
        text,
        expect![[r#"
        __global__ void k(const half* a, float* c) {
          wmma::load_matrix_sync(left, sited0(a + 16), 16);
          nvcuda::wmma::mma_sync(sited_object1(sum), left, right, sum);
          store_matrix_sync(sited2(&c[8]), sum, 16, wmma::mem_row_major);
        }
    "#]],
    );
    check_gpu(
        text,
        expect![[r#"
        __global__ void k(const half* a, float* c) { KernelScope hirace_kernel_scope;
          wmma::load_matrix_sync(left, a + 16, 16);
          nvcuda::wmma::mma_sync(sum, left, right, sum);
          store_matrix_sync(&c[8], sum, 16, wmma::mem_row_major);
        }

        not monitored, line 2: `load_matrix_sync` accesses memory without hooks
        not monitored, line 4: `store_matrix_sync` accesses memory without hooks"#]],
    );
}
