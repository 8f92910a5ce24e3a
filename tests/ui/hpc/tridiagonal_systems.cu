// verdict: race
// race: lines 31 and 40, variable sb, shared
// race: lines 32 and 40, variable sb, shared
// race: lines 33 and 39, variable sa, shared
// race: lines 33 and 41, variable sc, shared
// race: lines 34 and 41, variable sc, shared
// race: lines 34 and 39, variable sa, shared
// race: lines 35 and 42, variable sd, shared
// repaired: clean
// Systems with three or more diagonals: cyclic reduction, parallel cyclic reduction, one system per
// thread with interleaved storage, alternating directions, and eigenvalues by Jacobi rotations.
// A step of parallel cyclic reduction writes rows that its neighbours still read.
// Repaired: a barrier between reading and writing.
#include <algorithm>
#include "../common/device_data.h"

constexpr int n = 64;

__global__ void parallel_cyclic_reduction(const float* a, const float* b, const float* c,
                                          const float* d, float* x)
{
    __shared__ float sa[n], sb[n], sc[n], sd[n];
    const int t = threadIdx.x, base = blockIdx.x * n;
    sa[t] = a[base + t];
    sb[t] = b[base + t];
    sc[t] = c[base + t];
    sd[t] = d[base + t];
    __syncthreads();
    for (int distance = 1; distance < n; distance *= 2) {
        const int left = max(t - distance, 0), right = min(t + distance, n - 1);
        const float k = t >= distance ? sa[t] / sb[left] : 0;
        const float m = t + distance < n ? sc[t] / sb[right] : 0;
        const float na = -sa[left] * k, nc = -sc[right] * m;
        const float nb = sb[t] - sc[left] * k - sa[right] * m;
        const float nd = sd[t] - sd[left] * k - sd[right] * m;
#ifdef REPAIRED
        __syncthreads();
#endif
        sa[t] = na;
        sb[t] = nb;
        sc[t] = nc;
        sd[t] = nd;
        __syncthreads();
    }
    x[base + t] = sd[t] / sb[t];
}

__global__ void cyclic_reduction(const float* a, const float* b, const float* c, const float* d, float* x)
{
    __shared__ float4 rows[n];
    __shared__ float solution[n];
    const int t = threadIdx.x, base = blockIdx.x * n;
    for (int i = t; i < n; i += blockDim.x) {
        rows[i] = make_float4(a[base + i], b[base + i], c[base + i], d[base + i]);
    }
    int active = n / 2, stride = 2;
    for (; active > 1; active /= 2, stride *= 2) {
        __syncthreads();
        if (t < active) {
            const int i = stride * (t + 1) - 1, half = stride / 2;
            float4 row = rows[i];
            const float4 left = rows[i - half];
            const float k = row.x / left.y;
            row.y -= left.z * k;
            row.w -= left.w * k;
            row.x = -left.x * k;
            if (i + half < n) {
                const float4 right = rows[i + half];
                const float m = row.z / right.y;
                row.y -= right.x * m;
                row.w -= right.w * m;
                row.z = -right.z * m;
            }
            rows[i] = row;
        }
    }
    __syncthreads();
    if (t == 0) {
        const float4 p = rows[n / 2 - 1], q = rows[n - 1];
        const float determinant = p.y * q.y - p.z * q.x;
        solution[n / 2 - 1] = (p.w * q.y - p.z * q.w) / determinant;
        solution[n - 1] = (p.y * q.w - p.w * q.x) / determinant;
    }
    for (stride = n / 2, active = 2; stride > 1; stride /= 2, active *= 2) {
        __syncthreads();
        if (t < active) {
            const int i = stride * t + stride / 2 - 1, half = stride / 2;
            const float4 row = rows[i];
            const float left = i - half >= 0 ? solution[i - half] : 0;
            solution[i] = (row.w - row.x * left - row.z * solution[i + half]) / row.y;
        }
    }
    __syncthreads();
    for (int i = t; i < n; i += blockDim.x) {
        x[base + i] = solution[i];
    }
}

// Element i of system s is at i * systems + s.
__global__ void thomas(const float* a, const float* b, const float* c, const float* d, float* x,
                       float* scratch, int systems)
{
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems) {
        return;
    }
    float ratio = c[s] / b[s], value = d[s] / b[s];
    scratch[s] = ratio;
    x[s] = value;
    for (int i = 1; i < n; i++) {
        const int at = i * systems + s;
        const float denominator = b[at] - a[at] * ratio;
        ratio = c[at] / denominator;
        value = (d[at] - a[at] * value) / denominator;
        scratch[at] = ratio;
        x[at] = value;
    }
    for (int i = n - 2; i >= 0; i--) {
        x[i * systems + s] = value = x[i * systems + s] - scratch[i * systems + s] * value;
    }
}

// Half a time step of heat, implicit along lines whose elements are `step` apart.
__global__ void implicit_lines(const float* in, float* out, float* scratch, int side, int step, float r)
{
    const int line = threadIdx.x * (step == 1 ? side : 1), cross = step == 1 ? side : 1;
    const int last = (side - 1) * cross;
    const int place = threadIdx.x * cross;
    float ratio = 0, value = 0;
    for (int i = 0; i < side; i++) {
        const int at = line + i * step;
        const float before = place > 0 ? in[at - cross] : 0, after = place < last ? in[at + cross] : 0;
        const float right = in[at] + r * (before - 2 * in[at] + after);
        const float denominator = 1 + 2 * r + r * ratio;
        value = (right + r * value) / denominator;
        ratio = -r / denominator;
        scratch[at] = ratio;
        out[at] = value;
    }
    for (int i = side - 2; i >= 0; i--) {
        out[line + i * step] = value = out[line + i * step] - scratch[line + i * step] * value;
    }
}

constexpr int m = 8;

// Pairs of rows and columns from a round-robin tournament are rotated at the same time.
__global__ void jacobi_eigenvalues(float* matrix, float* values, int sweeps)
{
    __shared__ float a[m][m + 1];
    __shared__ float2 rotation[m / 2];
    __shared__ int pairs[m / 2][2];
    const int t = threadIdx.x, row = t / m, column = t % m;
    a[row][column] = matrix[t];
    for (int round = 0; round < sweeps * (m - 1); round++) {
        __syncthreads();
        if (t < m / 2) {
            const int shift = round % (m - 1);
            const int p = t == 0 ? m - 1 : (shift + t) % (m - 1);
            const int q = (shift + m - 1 - t) % (m - 1);
            const float difference = a[q][q] - a[p][p], sign = difference < 0 ? -2 : 2;
            const float angle = 0.5f * atan2f(sign * a[p][q], fabsf(difference));
            rotation[t] = make_float2(cosf(angle), sinf(angle));
            pairs[t][0] = p;
            pairs[t][1] = q;
        }
        __syncthreads();
        if (t < m * m / 2) {
            const int pair = t / m, k = t % m, p = pairs[pair][0], q = pairs[pair][1];
            const float2 r = rotation[pair];
            const float x = a[p][k], y = a[q][k];
            a[p][k] = r.x * x - r.y * y;
            a[q][k] = r.y * x + r.x * y;
        }
        __syncthreads();
        if (t < m * m / 2) {
            const int pair = t / m, k = t % m, p = pairs[pair][0], q = pairs[pair][1];
            const float2 r = rotation[pair];
            const float x = a[k][p], y = a[k][q];
            a[k][p] = r.x * x - r.y * y;
            a[k][q] = r.y * x + r.x * y;
        }
    }
    __syncthreads();
    if (t < m) {
        values[t] = a[t][t];
    }
}

int three_diagonals()
{
    const int systems = 3, count = systems * n;
    std::vector<float> a = fractions(count, 1), b = fractions(count, 2), c = fractions(count, 3);
    const std::vector<float> d = fractions(count, 4);
    std::vector<float> ta(count), tb(count), tc(count), td(count);
    for (int i = 0; i < count; i++) {
        b[i] += 3;
        a[i] = i % n == 0 ? 0 : a[i];
        c[i] = i % n == n - 1 ? 0 : c[i];
        const int to = i % n * systems + i / n;
        ta[to] = a[i];
        tb[to] = b[i];
        tc[to] = c[i];
        td[to] = d[i];
    }
    float *d_a = upload(a), *d_b = upload(b), *d_c = upload(c), *d_d = upload(d);
    float *d_ta = upload(ta), *d_tb = upload(tb), *d_tc = upload(tc), *d_td = upload(td);
    float *d_x1 = allocate<float>(count), *d_x2 = allocate<float>(count), *d_x3 = allocate<float>(count);
    float* d_scratch = allocate<float>(count);
    parallel_cyclic_reduction<<<systems, n>>>(d_a, d_b, d_c, d_d, d_x1);
    cyclic_reduction<<<systems, n / 2>>>(d_a, d_b, d_c, d_d, d_x2);
    thomas<<<1, 32>>>(d_ta, d_tb, d_tc, d_td, d_x3, d_scratch, systems);
    for (float* pointer : {d_a, d_b, d_c, d_d, d_ta, d_tb, d_tc, d_td, d_scratch}) {
        cudaFree(pointer);
    }
    auto product = [&](const std::vector<float>& x) {
        std::vector<float> out(count);
        for (int i = 0; i < count; i++) {
            out[i] = (i > 0 ? a[i] * x[i - 1] : 0) + b[i] * x[i] + (i + 1 < count ? c[i] * x[i + 1] : 0);
        }
        return out;
    };
    std::vector<float> x3(count);
    const std::vector<float> interleaved = download(d_x3, count);
    for (int i = 0; i < count; i++) {
        x3[i] = interleaved[i % n * systems + i / n];
    }
    return differs("parallel cyclic", product(download(d_x1, count)), d, 1e-3) +
           differs("cyclic", product(download(d_x2, count)), d, 1e-3) +
           differs("Thomas", product(x3), d, 1e-3);
}

int alternating_directions()
{
    const int side = 20;
    const float r = 0.4f;
    const std::vector<float> in = fractions(side * side, 6);
    float *d_in = upload(in), *d_out = allocate<float>(in.size()), *d_scratch = allocate<float>(in.size());
    implicit_lines<<<1, side>>>(d_in, d_out, d_scratch, side, 1, r);
    const std::vector<float> x = download(d_out, in.size());
    cudaFree(d_in);
    cudaFree(d_scratch);
    std::vector<float> left, right;
    for (int y = 0; y < side; y++) {
        for (int i = 0; i < side; i++) {
            const int at = y * side + i;
            left.push_back(x[at] + r * (2 * x[at] - (i > 0 ? x[at - 1] : 0) - (i + 1 < side ? x[at + 1] : 0)));
            right.push_back(in[at] + r * ((y > 0 ? in[at - side] : 0) - 2 * in[at] +
                                          (y + 1 < side ? in[at + side] : 0)));
        }
    }
    return differs("lines", left, right, 1e-4);
}

int eigenvalues()
{
    std::vector<float> a(m * m);
    const std::vector<float> numbers = fractions(m * m, 9);
    float trace = 0, squares = 0;
    for (int i = 0; i < m * m; i++) {
        a[i] = numbers[i] + numbers[i % m * m + i / m];
        trace += i / m == i % m ? a[i] : 0;
    }
    for (float x : a) {
        squares += x * x;
    }
    float *d_a = upload(a), *d_values = allocate<float>(m);
    jacobi_eigenvalues<<<1, m * m>>>(d_a, d_values, 8);
    cudaFree(d_a);
    float sum = 0, sum_of_squares = 0;
    for (float value : download(d_values, m)) {
        sum += value;
        sum_of_squares += value * value;
    }
    return differs("eigenvalues", std::vector<float>{sum, sum_of_squares}, {trace, squares}, 1e-3);
}

int main()
{
    const int failures = three_diagonals() + alternating_directions() + eigenvalues();
#ifndef REPAIRED
    return 0;
#endif
    return failures;
}
