//! Whole CUDA programs, `examples/programs`, on the CPU executor: unmonitored, monitored under
//! several seeds, and with a planted defect.
//!
//! Each program checks its own result and fails if it is wrong. It is built once with
//! `hirace nvcc` and run by `hirace run`, like a user's project.
//!
//! A macro (`-DRACE`) adds the defect. Its races must be among the pairs of lines in the table,
//! which names each line by a piece of its text, and every seed must find at least one.

use std::collections::BTreeSet;
use std::fs;

use harness::{Defect, PLAIN, Program};

mod harness;

/// Defines a test for each entry.
macro_rules! programs {
    ($($name:ident { $($field:ident: $value:expr),* $(,)? })*) => {
        $(
            #[test]
            fn $name() {
                harness::run(&Program { name: stringify!($name), $($field: $value,)* ..PLAIN });
            }
        )*

        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

programs! {
    bfs_frontier {
        prints: "bfs_frontier: 3990 of 4000 vertices reached in 18 levels, passed",
        defect: Some(Defect {
            name: "RACE",
            races: &[
                ["const bool first = search.level", "if (first) search.level"],
                ["if (first) search.level", "if (first) search.level"],
                ["search.parent[neighbour] =", "search.parent[neighbour] ="],
            ],
        }),
    }
    bitonic_sort {
        prints: "bitonic_sort: OK",
        defect: Some(Defect {
            name: "RACE",
            races: &[
                ["a = b;", "data[base + t] = tile[t]"],
                ["a = b;", "data[base + t + blockDim.x] = tile["],
                ["b = kept;", "data[base + t] = tile[t]"],
                ["b = kept;", "data[base + t + blockDim.x] = tile["],
            ],
        }),
    }
    conjugate_gradient {
        prints: "conjugate_gradient: OK",
        defect: Some(Defect {
            name: "RACE",
            races: &[["sum += a.value[k] * x[", "v.direction[i] = v.residual[i] + beta"]],
        }),
    }
    fft {
        prints: "fft: OK",
        defect: Some(Defect {
            name: "RACE",
            races: &[
                ["odd = root * line[at + half]", "line[at] = even + odd"],
                ["odd = root * line[at + half]", "line[at + half] = even - odd"],
                ["even = line[at];", "line[at] = even + odd"],
                ["even = line[at];", "line[at + half] = even - odd"],
                ["line[at] = even + odd", "line[at + half] = even - odd"],
                ["line[at] = even + odd", "line[at] = even + odd"],
                ["line[at + half] = even - odd", "line[at + half] = even - odd"],
                ["line[at] = even + odd", "line[r] * twiddle"],
                ["line[at + half] = even - odd", "line[r] * twiddle"],
            ],
        }),
    }
    bounding_volumes {
        prints: "bounding_volumes: 1500 points, 300 queries, passed",
        possible: true,
        defect: Some(Defect {
            name: "RACE",
            races: &[
                ["leaf.box = Box::around", "m.low = make_float3"],
                ["leaf.box = Box::around", "m.high = make_float3"],
                ["tree[at].box = Box::merged", "m.low = make_float3"],
                ["tree[at].box = Box::merged", "m.high = make_float3"],
            ],
        }),
    }
    connected_components {
        prints: "connected_components: 238 components, passed",
        possible: true,
        defect: Some(Defect {
            name: "RACE",
            races: &[
                ["if (seen == a) parent[a] = b", "if (seen == a) parent[a] = b"],
                ["if (seen == a) parent[a] = b", "const int seen = parent[a]"],
                ["if (seen == a) parent[a] = b", "int up = parent[v]"],
                ["if (seen == a) parent[a] = b", "next = parent[up]"],
                ["if (seen == a) parent[a] = b", "parent[v] = next"],
                ["const int seen = parent[a]", "parent[v] = next"],
            ],
        }),
    }
    floyd_warshall {
        prints: "floyd_warshall: 75 vertices, passed",
        defect: Some(Defect {
            name: "RACE",
            races: &[["the same value, but written", "const Distance over ="]],
        }),
    }
    game_of_life {
        prints: "game_of_life: OK",
        defect: Some(Defect {
            name: "RACE",
            races: &[
                ["int sum = AT(left, up)", "next_state(AT(x, y), sum)"],
                ["sum += AT(left, y)", "next_state(AT(x, y), sum)"],
                ["sum += AT(left, down)", "next_state(AT(x, y), sum)"],
            ],
        }),
    }
    hash_table {
        prints: "hash_table: OK",
        defect: Some(Defect {
            name: "RACE",
            races: &[
                ["Slot old = slots_[at]", "if (old == empty) slots_[at] ="],
                ["Slot old = slots_[at]", "atomicAdd(&slots_[at], 1ull)"],
                ["if (old == empty) slots_[at] =", "atomicAdd(&slots_[at], 1ull)"],
                ["if (old == empty) slots_[at] =", "if (old == empty) slots_[at] ="],
            ],
        }),
    }
    histogram_private {
        prints: "histogram_private: OK",
        defect: Some(Defect {
            name: "RACE",
            races: &[["bins[value]++", "bins[value]++"]],
        }),
    }
    image_pyramid {
        prints: "image_pyramid: OK",
        defect: Some(Defect {
            name: "RACE",
            races: &[["smooth_rows[r][threadIdx.x] = sum", "smooth_rows[2 * threadIdx.y"]],
        }),
    }
    jacobi {
        prints: "jacobi: 388 iterations, passed",
        defect: Some(Defect {
            name: "RACE",
            races: &[["next[i] = value", "const float value ="]],
        }),
    }
    k_means {
        prints: "k_means: 2000 points, 40 iterations, passed",
        defect: Some(Defect {
            name: "RACE",
            races: &[
                ["(&sums[0][0])[i] = 0", "atomicAdd(&sums[best][d]"],
                ["counts[t] = 0", "atomicAdd_block(&counts"],
                ["block_changed = 0", "atomicInc(&block_changed"],
            ],
        }),
    }
    lattice_boltzmann {
        prints: "lattice_boltzmann: OK",
        defect: Some(Defect {
            name: "RACE",
            races: &[["f[q] = now(q, from_x, from_y)", "then(q, x, y) = f[q]"]],
        }),
    }
    look_back_scan {
        prints: "look_back_scan: 20000 values, passed",
        possible: true,
        defect: Some(Defect {
            name: "RACE",
            races: &[["where[tile] = value", "const T part ="]],
        }),
    }
    lu {
        prints: "lu: 96 x 96, passed",
        defect: Some(Defect {
            name: "RACE",
            races: &[["if (x > k) s[x][k] /= s[k][k]", "s[y][x] -= s[y][k] * s[k][x]"]],
        }),
    }
    matrix_transpose {
        prints: "matrix_transpose: OK",
        defect: Some(Defect {
            name: "RACE",
            races: &[["at(r, threadIdx.x) = matrix[", "= at(threadIdx.x, r)"]],
        }),
    }
    merge_sort {
        prints: "merge_sort: 5000 pairs, passed",
        defect: Some(Defect {
            name: "RACE",
            races: &[
                ["tile[base + diagonal + k] = merged[k]", "return a.key < b.key"],
                ["tile[base + diagonal + k] = merged[k]", "(a.key & mask) > (b.key & mask)"],
                ["tile[base + diagonal + k] = merged[k]", "out[k] = from_b"],
            ],
        }),
    }
    monte_carlo {
        prints: "monte_carlo: 50000 samples, passed",
        defect: Some(Defect {
            name: "RACE",
            races: &[["*total += sum_of_block", "*total += sum_of_block"]],
        }),
    }
    n_body {
        prints: "n_body: 512 bodies, 4 steps, passed",
        defect: Some(Defect {
            name: "RACE",
            races: &[["tile[threadIdx.x] = in.position[", "attraction(self, tile[j])"]],
        }),
    }
    page_rank {
        prints: "page_rank: OK",
        defect: Some(Defect {
            name: "RACE",
            races: &[["sums->dangling += mine", "sums->dangling += mine"]],
        }),
    }
    radix_sort {
        prints: "radix_sort: 3000 particles, passed",
        defect: Some(Defect {
            name: "RACE",
            races: &[["++histogram[", "++histogram["]],
        }),
    }
    run_length_encode {
        prints: "run_length_encode: OK",
        defect: Some(Defect {
            name: "RACE",
            races: &[["values_[t] = value;", "items[k] = storage_.items["]],
        }),
    }
    ray_tracer {
        prints: "ray_tracer: 64 x 40 pixels, passed",
        defect: Some(Defect {
            name: "RACE",
            races: &[
                ["first = next_pixel;", "next_pixel = first +"],
                ["next_pixel = first +", "next_pixel = first +"],
                ["image[pixel] = path.light", "image[pixel] = path.light"],
            ],
        }),
    }
    reductions {
        prints: "reductions: 3000 numbers, passed",
        defect: Some(Defect {
            name: "RACE",
            races: &[
                ["// for the lane below", "mine = op(mine, s[t + offset])"],
            ],
        }),
    }
    smith_waterman {
        prints: "smith_waterman: 6 pairs, passed",
        defect: Some(Defect {
            name: "RACE",
            races: &[
                ["h0[i] = (short)score", "const int left ="],
                ["h0[i] = (short)score", "h0[i] = (short)score"],
                ["e0[i] = (short)gap_left", "const int gap_left ="],
                ["e0[i] = (short)gap_left", "e0[i] = (short)gap_left"],
                ["f0[i] = (short)gap_up", "const int gap_up ="],
                ["f0[i] = (short)gap_up", "f0[i] = (short)gap_up"],
            ],
        }),
    }
    sobel {
        prints: "sobel: 150 x 101 pixels, passed",
        defect: Some(Defect {
            name: "RACE",
            races: &[
                ["tile[y][x] = in.clamped(", "tile[y + dy][x + dx]"],
                ["local[i] = 0", "atomicAdd(local + result"],
            ],
        }),
    }
    spmv_csr {
        prints: "spmv_csr: 1000 rows, passed",
        defect: Some(Defect {
            name: "RACE",
            races: &[
                ["row = (*counter)++", "row = (*counter)++"],
                ["a row of this warp alone", "a row of this warp alone"],
            ],
        }),
    }
    stream_pipeline {
        prints: "stream_pipeline: OK",
        defect: Some(Defect {
            name: "RACE",
            races: &[["if (t < half) s_sum[t] +=", "if (t < half) s_sum[t] +="]],
        }),
    }
    string_match {
        prints: "string_match: OK",
        defect: Some(Defect {
            name: "RACE",
            races: &[
                ["bytes[i] = first + i", "hash = append(hash, bytes["],
                ["bytes[i] = first + i", "if (bytes[threadIdx.x + i]"],
                ["list[place++]", "list[place++]"],
            ],
        }),
    }
    triangle_count {
        prints: "triangle_count: OK",
        defect: Some(Defect {
            name: "RACE",
            races: &[["s_found[warp] = mine", "in_block += s_found[w]"]],
        }),
    }
}

#[test]
fn every_program_is_in_the_table() {
    let found: BTreeSet<String> = fs::read_dir(harness::folder())
        .expect("the programs")
        .map(|entry| entry.expect("a directory entry").path())
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    let known = NAMES.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(found, known);
}
