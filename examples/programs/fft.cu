/* Fast Fourier transform of a long complex signal in four steps.
 *
 *   fft [rows: 16..256, a power of two] [batches] [seed]
 *
 * A signal of rows * 64 points is seen as a matrix of that many rows and 64 columns:
 * transform the columns, multiply by twiddle factors, transform the rows, and read
 * the result out transposed. Each short transform is done by one block in shared memory, radix 2,
 * with one barrier between the stages. The short transforms are compared with sums
 * over all points, and a transform and its inverse with the signal.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>

static void gpu_assert(cudaError_t code, const char *file, int line)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPU error: %s %s:%d\n", cudaGetErrorString(code), file, line);
        exit(2);
    }
}
#define GPU(call) gpu_assert((call), __FILE__, __LINE__)

#define COLUMNS 64
#define MAX_ROWS 256
#define TABLE (MAX_ROWS * COLUMNS)

typedef float2 complex_t;

/* exp(-2 pi i k / MAX_ROWS); shorter transforms use every n-th value. */
__constant__ complex_t c_roots[MAX_ROWS / 2];

__device__ __forceinline__ complex_t operator+(complex_t a, complex_t b)
{
    return make_float2(a.x + b.x, a.y + b.y);
}

__device__ __forceinline__ complex_t operator-(complex_t a, complex_t b)
{
    return make_float2(a.x - b.x, a.y - b.y);
}

__device__ __forceinline__ complex_t operator*(complex_t a, complex_t b)
{
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

__device__ __forceinline__ complex_t conjugate(complex_t a)
{
    return make_float2(a.x, -a.y);
}

/* The transform of the n points in `line`, by n / 2 threads, in place. `n` is a power of two. */
template <bool Inverse>
__device__ void transform(complex_t *line, int n)
{
    const int t = threadIdx.x;
    int bits = 31 - __clz(n);
    /* Bit-reversed order first; each pair of places is swapped by one thread. */
    for (int i = t; i < n; i += blockDim.x) {
        const int j = __brev(i) >> (32 - bits);
        if (i < j) {
            const complex_t kept = line[i];
            line[i] = line[j];
            line[j] = kept;
        }
    }
    __syncthreads();
    for (int half = 1; half < n; half *= 2) {
        const int within = t & (half - 1);
        const int at = 2 * (t - within) + within;
        complex_t root = c_roots[within * (MAX_ROWS / 2 / half)];
        if (Inverse) {
            root = conjugate(root);
        }
        const complex_t odd = root * line[at + half];
        const complex_t even = line[at];
        line[at] = even + odd;
        line[at + half] = even - odd;
#ifdef RACE
        __syncwarp();
#else
        __syncthreads();
#endif
    }
}

/* One block for each column of each batch: blockIdx.x, blockIdx.y. */
template <bool Inverse>
__global__ void transform_columns(complex_t *data, const complex_t *twiddles, int rows)
{
    extern __shared__ complex_t line[];
    const int column = blockIdx.x;
    complex_t *matrix = data + (size_t)blockIdx.y * rows * COLUMNS;
    for (int r = threadIdx.x; r < rows; r += blockDim.x) {
        line[r] = matrix[r * COLUMNS + column];
    }
    __syncthreads();
    transform<Inverse>(line, rows);
    for (int r = threadIdx.x; r < rows; r += blockDim.x) {
        complex_t twiddle = twiddles[r * column];
        if (Inverse) {
            twiddle = conjugate(twiddle);
        }
        matrix[r * COLUMNS + column] = line[r] * twiddle;
    }
}

/* One block for each row; writes the row as a column of the result. */
template <bool Inverse>
__global__ void transform_rows(const complex_t *data, complex_t *result, int rows, float scale)
{
    __shared__ complex_t line[COLUMNS];
    const int row = blockIdx.x;
    const size_t batch = (size_t)blockIdx.y * rows * COLUMNS;
    for (int c = threadIdx.x; c < COLUMNS; c += blockDim.x) {
        line[c] = data[batch + row * COLUMNS + c];
    }
    __syncthreads();
    transform<Inverse>(line, COLUMNS);
    for (int c = threadIdx.x; c < COLUMNS; c += blockDim.x) {
        result[batch + c * rows + row] = make_float2(scale * line[c].x, scale * line[c].y);
    }
}

template <bool Inverse>
static void transform_all(complex_t *data, complex_t *result, const complex_t *twiddles, int rows, int batches)
{
    const float scale = Inverse ? 1.0f / (rows * COLUMNS) : 1.0f;
    transform_columns<Inverse>
        <<<dim3(COLUMNS, batches), rows / 2, rows * sizeof(complex_t)>>>(data, twiddles, rows);
    GPU(cudaPeekAtLastError());
    transform_rows<Inverse><<<dim3(rows, batches), COLUMNS / 2>>>(data, result, rows, scale);
    GPU(cudaPeekAtLastError());
}

static float random_value(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) / (1 << 23) - 1.0f;
}

/* One value of the spectrum by its definition. */
static void spectrum_at(const complex_t *signal, int n, int k, double *re, double *im)
{
    *re = *im = 0.0;
    for (int i = 0; i < n; i++) {
        const double angle = -2.0 * M_PI * (double)((long long)i * k % n) / n;
        *re += signal[i].x * cos(angle) - signal[i].y * sin(angle);
        *im += signal[i].x * sin(angle) + signal[i].y * cos(angle);
    }
}

int main(int argc, char **argv)
{
    const int rows = argc > 1 ? atoi(argv[1]) : 128;
    const int batches = argc > 2 ? atoi(argv[2]) : 2;
    unsigned state = argc > 3 ? (unsigned)atoi(argv[3]) : 1;
    if (rows < 16 || rows > MAX_ROWS || (rows & (rows - 1)) != 0 || batches < 1) {
        fprintf(stderr, "usage: fft [rows: 16..%d, a power of two] [batches] [seed]\n", MAX_ROWS);
        return 2;
    }
    const int n = rows * COLUMNS;
    const size_t bytes = (size_t)batches * n * sizeof(complex_t);

    complex_t *signal = (complex_t *)malloc(bytes);
    complex_t *spectrum = (complex_t *)malloc(bytes);
    complex_t *again = (complex_t *)malloc(bytes);
    complex_t *twiddles = (complex_t *)malloc(n * sizeof(complex_t));
    complex_t roots[MAX_ROWS / 2];
    for (int i = 0; i < batches * n; i++) {
        signal[i].x = random_value(&state);
        signal[i].y = random_value(&state);
    }
    for (int k = 0; k < MAX_ROWS / 2; k++) {
        roots[k] = make_float2((float)cos(2.0 * M_PI * k / MAX_ROWS), (float)-sin(2.0 * M_PI * k / MAX_ROWS));
    }
    for (int k = 0; k < n; k++) {
        twiddles[k] = make_float2((float)cos(2.0 * M_PI * k / n), (float)-sin(2.0 * M_PI * k / n));
    }

    complex_t *d_data, *d_result, *d_twiddles;
    GPU(cudaMalloc((void **)&d_data, bytes));
    GPU(cudaMalloc((void **)&d_result, bytes));
    GPU(cudaMalloc((void **)&d_twiddles, n * sizeof(complex_t)));
    GPU(cudaMemcpy(d_data, signal, bytes, cudaMemcpyHostToDevice));
    GPU(cudaMemcpy(d_twiddles, twiddles, n * sizeof(complex_t), cudaMemcpyHostToDevice));
    GPU(cudaMemcpyToSymbol(c_roots, roots, sizeof roots));

    cudaEvent_t start, stop;
    GPU(cudaEventCreate(&start));
    GPU(cudaEventCreate(&stop));
    GPU(cudaEventRecord(start, 0));
    transform_all<false>(d_data, d_result, d_twiddles, rows, batches);
    GPU(cudaMemcpy(spectrum, d_result, bytes, cudaMemcpyDeviceToHost));
    transform_all<true>(d_result, d_data, d_twiddles, rows, batches);
    GPU(cudaMemcpy(again, d_data, bytes, cudaMemcpyDeviceToHost));
    GPU(cudaEventRecord(stop, 0));
    GPU(cudaEventSynchronize(stop));
    float milliseconds;
    GPU(cudaEventElapsedTime(&milliseconds, start, stop));
    printf("%d transforms of %d points, forth and back: %.2f ms\n", batches, n, milliseconds);

    int wrong = 0;
    const double tolerance = 1e-5 * n;
    for (int b = 0; b < batches; b++) {
        for (int k = b; k < n; k += n / 61) {
            double re, im;
            spectrum_at(signal + (size_t)b * n, n, k, &re, &im);
            const complex_t got = spectrum[(size_t)b * n + k];
            if (!(fabs(got.x - re) < tolerance && fabs(got.y - im) < tolerance)) {
                if (wrong++ == 0) {
                    fprintf(stderr, "batch %d, frequency %d: (%g, %g), expected (%g, %g)\n", b, k, got.x, got.y, re, im);
                }
            }
        }
    }
    for (int i = 0; i < batches * n; i++) {
        if (!(fabsf(again[i].x - signal[i].x) < 1e-4f && fabsf(again[i].y - signal[i].y) < 1e-4f)) {
            if (wrong++ == 0) {
                fprintf(stderr, "point %d: (%g, %g), was (%g, %g)\n", i, again[i].x, again[i].y, signal[i].x, signal[i].y);
            }
        }
    }
    GPU(cudaEventDestroy(start));
    GPU(cudaEventDestroy(stop));
    GPU(cudaFree(d_data));
    GPU(cudaFree(d_result));
    GPU(cudaFree(d_twiddles));
    free(signal);
    free(spectrum);
    free(again);
    free(twiddles);
    printf(wrong ? "fft: FAILED\n" : "fft: OK\n");
    return wrong != 0;
}
