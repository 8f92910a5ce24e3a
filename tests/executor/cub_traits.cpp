//! run -> 0
// CUB's traits: kinds of numbers, keys in the order of the values, and its older traits of types.
#include <cub/cub.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.h"

struct Own {
  int value;
};
// As programs do for their own number types.
namespace cub {
template <>
struct NumericTraits<Own> : BaseTraits<SIGNED_INTEGER, true, false, unsigned, Own> {};
}  // namespace cub

template <class T>
void test_keys(std::initializer_list<T> ascending) {
  using Traits = cub::Traits<T>;
  using Bits = typename Traits::UnsignedBits;
  static_assert(Traits::PRIMITIVE && !Traits::NULL_TYPE && sizeof(Bits) == sizeof(T));
  const auto bits = [](T value) {
    Bits result;
    std::memcpy(&result, &value, sizeof result);
    return result;
  };
  Bits last = 0;
  bool first = true;
  for (const T value : ascending) {
    const Bits key = Traits::TwiddleIn(bits(value));
    CHECK((first || key > last) && Traits::TwiddleOut(key) == bits(value));
    last = key;
    first = false;
  }
  CHECK(Traits::TwiddleIn(Traits::LOWEST_KEY) == 0 && Traits::TwiddleIn(Traits::MAX_KEY) == static_cast<Bits>(~Bits{0}));
}

template <class T, cub::Category category>
constexpr bool is = cub::Traits<T>::CATEGORY == category;

int main() {
  test_keys<int>({INT_MIN, -5, -1, 0, 1, INT_MAX});
  test_keys<unsigned char>({0, 1, 200});
  test_keys<long long>({-1000000000000, -1, 0, 7});
  test_keys<float>({-INFINITY, -1e9f, -1.5f, 0.0f, 1e-30f, 3.0f, INFINITY});
  test_keys<double>({-1e300, -0.5, 0.5});
  test_keys<__half>({-3.0f, -1.0f, 0.0f, 2.0f});
  test_keys<__nv_bfloat16>({-1e30f, 1e-30f});
  static_assert(is<int, cub::SIGNED_INTEGER> && is<const unsigned, cub::UNSIGNED_INTEGER> && is<float, cub::FLOATING_POINT>);
  static_assert(is<dim3, cub::NOT_A_NUMBER> && !cub::Traits<dim3>::PRIMITIVE && is<Own, cub::SIGNED_INTEGER>);
  static_assert(cub::NumericTraits<cub::NullType>::NULL_TYPE && cub::PowerOfTwo<8>::VALUE && cub::Log2<8>::VALUE == 3);
  static_assert(cub::Equals<int, int>::VALUE && cub::Equals<int, char>::NEGATE && cub::IsPointer<int*>::VALUE);
  static_assert(std::is_same_v<cub::If<false, int, char>::Type, char> && std::is_same_v<cub::RemoveQualifiers<const int>::Type, int>);
  CHECK(cub::Traits<int>::Lowest() == INT_MIN && cub::Traits<float>::Max() == std::numeric_limits<float>::max());
  CHECK(cub::Traits<Own>::Max().value == INT_MAX && __half2float(cub::Traits<__half>::Lowest()) != 0);
  cub::CubVector<float, 4> vector;
  vector.w = 3;
  const cub::CubVector<float, 4>::Type plain = vector;
  const cub::KeyValuePair<int, float> a(1, 2.0f), b(2, 1.0f);
  CHECK(plain.w == 3 && cub::ArgMin()(a, b).key == 2 && cub::ArgMax()(a, b).key == 1);
  cub::CachingDeviceAllocator allocator(true);
  void *memory = nullptr, *again = nullptr;
  CHECK(allocator.DeviceAllocate(&memory, 100) == cudaSuccess && allocator.DeviceFree(memory) == cudaSuccess);
  CHECK(allocator.DeviceAllocate(&again, 100) == cudaSuccess && again == memory);
  return 0;
}
