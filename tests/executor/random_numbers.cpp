//! run -> 0
// cuRAND's generators give the numbers of cuRAND. The expected ones were printed by a program compiled with the
// header curand_kernel.h of cuRAND 10.3 for the host, whose last digits of normal numbers differ from a GPU's.
#include <curand.h>
#include <curand_kernel.h>

#include <cstring>

#include "check.h"

// NVIDIA's samples test these to find out which libraries a program uses.
#ifndef CURAND_H_
#error "the include guard of cuRAND is missing"
#endif

template <class State>
State made(unsigned long long seed, unsigned long long subsequence, unsigned long long offset) {
  State state;
  std::memset(static_cast<void*>(&state), 0xa5, sizeof state);
  curand_init(seed, subsequence, offset, &state);
  return state;
}

template <class State>
void test_bits(unsigned long long seed, unsigned long long subsequence, unsigned long long offset, const unsigned (&expected)[5]) {
  State state = made<State>(seed, subsequence, offset);
  for (const unsigned number : expected) CHECK(curand(&state) == number);
  // Skipping ahead is the same as drawing.
  State skipped = made<State>(seed, subsequence, offset), drawn = skipped;
  skipahead(1001, &skipped);
  for (int i = 0; i < 1001; ++i) curand(&drawn);
  CHECK(curand(&skipped) == curand(&drawn));
}

void test_xorwow() {
  using State = curandStateXORWOW_t;
  test_bits<State>(1234, 0, 0, {624778773u, 1867875844u, 3739671282u, 1954919316u, 3681184389u});
  test_bits<State>(1234, 1, 0, {3522650202u, 3978931785u, 2198015705u, 2308946676u, 3475686971u});
  test_bits<State>(1234, 5, 7, {3351265907u, 3629609298u, 415430802u, 1173093345u, 689711927u});
  test_bits<State>(0x123456789abcdef, 1000003, 123456789, {2176699606u, 1811235554u, 1840727881u, 2784621442u, 4230625824u});
  test_bits<State>(42, 0xfedcba9876543210, 0xfedcba9876, {2869694129u, 2416685613u, 1081425526u, 2193917200u, 4002484468u});
  State state = made<State>(7, 0, 0);
  skipahead_sequence(3, &state);
  skipahead(100, &state);
  CHECK(curand(&state) == 1160108308u);
}

void test_mrg32k3a() {
  using State = curandStateMRG32k3a_t;
  test_bits<State>(1234, 0, 0, {3379073520u, 2521876100u, 213678209u, 1604391373u, 2253011095u});
  test_bits<State>(1234, 1, 0, {653317650u, 2890950871u, 2749090064u, 2410030135u, 1992398857u});
  test_bits<State>(0, 0, 0, {545508615u, 1368065476u, 1327943825u, 3546985268u, 951893240u});
  test_bits<State>(0x123456789abcdef, 1000003, 123456789, {2777905570u, 41127915u, 206804643u, 3750093036u, 683372165u});
  State state = made<State>(7, 0, 0);
  skipahead_sequence(3, &state);
  CHECK(curand(&state) == 3424567605u);
  skipahead_subsequence(5, &state);
  CHECK(curand(&state) == 2151089399u);
}

bool is(const uint4& v, unsigned x, unsigned y, unsigned z, unsigned w) { return v.x == x && v.y == y && v.z == z && v.w == w; }

void test_philox() {
  using State = curandStatePhilox4_32_10_t;
  test_bits<State>(1234, 0, 0, {546353992u, 3665621163u, 1140953199u, 3419031310u, 2666454581u});
  test_bits<State>(1234, 5, 7, {1925342002u, 648658203u, 3633236749u, 143597841u, 3521664514u});
  test_bits<State>(0x123456789abcdef, 1000003, 123456789, {1529248086u, 3963768617u, 1949377529u, 3048394103u, 3278766901u});
  test_bits<State>(42, 0xfedcba9876543210, 0xfedcba9876, {3863051222u, 2776246834u, 1562414318u, 1632939920u, 3228039018u});
  State state = made<State>(7, 0, 2);
  skipahead_sequence(3, &state);
  skipahead(101, &state);
  CHECK(is(curand4(&state), 1819861180u, 618871122u, 2300951217u, 1826796362u));
  const float4 uniform = curand_uniform4(&state);
  CHECK(uniform.x == 0.788453758f && uniform.y == 0.508766472f && uniform.z == 0.8935467f && uniform.w == 0.692697704f);
  curand_normal4(&state);
  CHECK(is(curand_poisson4(&state, 5.0), 9, 6, 5, 7));
  CHECK(is(curand_poisson4(&state, 5000.0), 4942, 5005, 5036, 5123));
  CHECK(curand(&state) == 4153766989u);
  const double2 two = curand_uniform2_double(&state);
  CHECK(two.x == 0.37133297788391634 && two.y == 0.83068316880632698);
}

void test_sobol() {
  unsigned vectors[32];
  for (unsigned i = 0; i < 32; ++i) vectors[i] = 1u << (31 - i);
  vectors[1] = 0xc0000000u;
  vectors[2] = 0xa0000000u;
  curandStateSobol32_t plain;
  curand_init(vectors, 5u, &plain);
  for (const unsigned number : {3758096384u, 536870912u, 2684354560u, 2952790016u, 805306368u, 4026531840u}) CHECK(curand(&plain) == number);
  skipahead(7, &plain);
  CHECK(curand_uniform(&plain) == 0.34375f && curand_uniform_double(&plain) == 0.84375000023283064);
  skipahead<curandStateSobol32_t*>(3, &plain);
  CHECK(curand_poisson(&plain, 4.0) == 5 && curand_poisson(&plain, 400.0) == 408 && curand_poisson(&plain, 999.0) == 967);
  curandStateScrambledSobol32_t scrambled;
  curand_init(vectors, 12345u, 5u, &scrambled);
  for (const unsigned number : {3758108729u, 536883257u, 2684366905u}) CHECK(curand(&scrambled) == number);
}

bool near(double a, double b, double tolerance) { return std::fabs(a - b) <= tolerance * std::fmax(1.0, std::fabs(b)); }

struct Expected {
  float uniform;
  double uniform_double;
  float normals[3], log_normal;
  double normal_double;
  unsigned poisson[3], next;
};

template <class State>
void test_distributions(const Expected& expected) {
  State state = made<State>(42, 3, 1);
  CHECK(curand_uniform(&state) == expected.uniform && curand_uniform_double(&state) == expected.uniform_double);
  for (const float number : expected.normals) CHECK(near(curand_normal(&state), number, 1e-5));
  CHECK(near(curand_log_normal(&state, 0.5f, 0.25f), expected.log_normal, 1e-5));
  curand_log_normal(&state, 0.5f, 0.25f);
  CHECK(near(curand_normal_double(&state), expected.normal_double, 1e-13));
  curand_normal_double(&state);
  curand_log_normal_double(&state, 0.5, 0.25);
  curand_normal2(&state);
  curand_normal2_double(&state);
  curand_log_normal2(&state, 0.1f, 0.2f);
  curand_log_normal2_double(&state, 0.1, 0.2);
  CHECK(curand_poisson(&state, 3.0) == expected.poisson[0] && curand_poisson(&state, 20.0) == expected.poisson[1]);
  CHECK(curand_poisson(&state, 5000.0) == expected.poisson[2] && curand(&state) == expected.next);
}

// The direction vectors are those of Sobol's sequences: the first 2^k numbers are in 2^k different intervals.
void test_direction_vectors() {
  curandDirectionVectors32_t* vectors = nullptr;
  CHECK(curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6) == CURAND_STATUS_SUCCESS);
  for (const unsigned dimension : {0u, 1u, 2u, 3u, 17u, 500u, 19999u}) {
    curandStateSobol32_t state;
    curand_init(vectors[dimension], 0u, &state);
    bool found[1024] = {};
    for (int i = 0; i < 1024; ++i) found[curand(&state) >> 22] = true;
    for (const bool one : found) CHECK(one);
  }
}

template <class T, class Fill>
T* filled(std::size_t count, const Fill& fill) {
  T* const numbers = managed<T>(count);
  CHECK(fill(numbers) == CURAND_STATUS_SUCCESS);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  return numbers;
}

void test_host_functions() {
  for (const curandRngType_t type : {CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_PHILOX4_32_10,
                                     CURAND_RNG_PSEUDO_MT19937, CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64}) {
    curandGenerator_t generator = nullptr;
    CHECK(curandCreateGenerator(&generator, type) == CURAND_STATUS_SUCCESS);
    const bool quasi = type >= CURAND_RNG_QUASI_DEFAULT;
    CHECK((curandSetPseudoRandomGeneratorSeed(generator, 99) == CURAND_STATUS_SUCCESS) == !quasi);
    if (quasi) CHECK(curandSetQuasiRandomGeneratorDimensions(generator, 2) == CURAND_STATUS_SUCCESS);
    constexpr std::size_t count = 20000;
    const auto* const uniform = filled<float>(count, [&](float* p) { return curandGenerateUniform(generator, p, count); });
    const auto* const normal = filled<double>(count, [&](double* p) { return curandGenerateNormalDouble(generator, p, count, 3.0, 2.0); });
    const auto* const poisson = filled<unsigned>(count, [&](unsigned* p) { return curandGeneratePoisson(generator, p, count, 10.0); });
    double sums[4] = {};
    for (std::size_t i = 0; i < count; ++i) {
      CHECK(uniform[i] > 0 && uniform[i] <= 1);
      sums[0] += uniform[i];
      sums[1] += normal[i];
      sums[2] += (normal[i] - 3) * (normal[i] - 3);
      sums[3] += poisson[i];
    }
    CHECK(near(sums[0] / count, 0.5, 0.01) && near(sums[1] / count, 3, 0.02) && near(sums[2] / count, 4, 0.05));
    CHECK(near(sums[3] / count, 10, 0.02));
    CHECK((curandGenerateUniform(generator, managed<float>(3), 3) == CURAND_STATUS_SUCCESS) == !quasi);
    float somewhere[2];
    CHECK(curandGenerateUniform(generator, somewhere, 2) == CURAND_STATUS_LAUNCH_FAILURE);
    CHECK(curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS);
  }
  // In the legacy order, number n is the next one of subsequence n mod 4096.
  curandGenerator_t generator = nullptr;
  CHECK(curandCreateGeneratorHost(&generator, CURAND_RNG_PSEUDO_XORWOW) == CURAND_STATUS_SUCCESS);
  CHECK(curandSetPseudoRandomGeneratorSeed(generator, 1234) == CURAND_STATUS_SUCCESS);
  static unsigned numbers[4097];
  CHECK(curandGenerate(generator, numbers, 4097) == CURAND_STATUS_SUCCESS);
  CHECK(numbers[0] == 624778773u && numbers[1] == 3522650202u && numbers[4096] == 1867875844u);
  CHECK(curandGenerateNormal(generator, reinterpret_cast<float*>(numbers), 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  CHECK(curandSetGeneratorOffset(generator, 4096) == CURAND_STATUS_SUCCESS);
  CHECK(curandGenerate(generator, numbers, 1) == CURAND_STATUS_SUCCESS && numbers[0] == 1867875844u);
  CHECK(curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS);
}

void test_poisson() {
  curandState state = made<curandState>(3, 0, 0);
  curandDiscreteDistribution_t distribution = nullptr;
  CHECK(curandCreatePoissonDistribution(300.0, &distribution) == CURAND_STATUS_SUCCESS);
  double sums[2][2] = {};
  constexpr int count = 20000;
  for (int i = 0; i < count; ++i) {
    const hirace::cpu::LibraryAccess as_a_kernel;
    const double numbers[2] = {static_cast<double>(curand_poisson(&state, 300.0)), static_cast<double>(curand_discrete(&state, distribution))};
    for (int k = 0; k < 2; ++k) {
      sums[k][0] += numbers[k];
      sums[k][1] += (numbers[k] - 300) * (numbers[k] - 300);
    }
  }
  for (const auto& sum : sums) CHECK(near(sum[0] / count, 300, 0.005) && near(sum[1] / count, 300, 0.05));
  CHECK(curandDestroyDistribution(distribution) == CURAND_STATUS_SUCCESS);
}

int main() {
  test_xorwow();
  test_mrg32k3a();
  test_philox();
  test_sobol();
  test_distributions<curandStateXORWOW_t>({0.428197563f, 0.5508048550349347, {2.23045f, -0.302473f, -1.08967f}, 2.30469f,
                                           -0.82186372723435, {2, 12, 5132}, 3526811422u});
  test_distributions<curandStateMRG32k3a_t>({0.654496193f, 0.30315045578369065, {-0.84036f, 0.111089f, 0.235111f}, 1.53765f,
                                             0.64375947040255, {3, 16, 4950}, 2908969661u});
  test_distributions<curandStatePhilox4_32_10_t>({0.445625931f, 0.72303428361192346, {-0.140376f, -1.00405f, -1.77399f}, 2.40201f,
                                                  1.160302120119, {2, 21, 5015}, 1289635122u});
  test_poisson();
  test_direction_vectors();
  test_host_functions();
}
