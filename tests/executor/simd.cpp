//! run -> 0
// Arithmetic on the halves and bytes of a word, and DPX functions, element by element.
#include "check.h"

#include <limits>

#include <algorithm>
#include <array>

constexpr unsigned words[] = {0u, 0xffffffffu, 0x80008000u, 0x7fff7fffu, 0x80808080u, 0x7f7f7f7fu, 0x00ff01feu, 0x12345678u,
                              0x89abcdefu, 0xfedc0123u, 0x80017fffu, 0x01020304u};

// The signed and unsigned lanes of a word, the lowest first.
template <class Lane>
std::array<int, 4 / sizeof(Lane)> lanes(unsigned word) {
  std::array<int, 4 / sizeof(Lane)> result{};
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<Lane>(word >> 8 * sizeof(Lane) * i);
  return result;
}

template <class Lane, class Expected>
bool holds(unsigned result, Expected expected, unsigned a, unsigned b = 0, unsigned c = 0) {
  const auto x = lanes<Lane>(a), y = lanes<Lane>(b), z = lanes<Lane>(c), r = lanes<Lane>(result);
  for (std::size_t i = 0; i < r.size(); ++i) {
    if (r[i] != static_cast<Lane>(expected(x[i], y[i], z[i]))) return false;
  }
  return true;
}

template <class Lane>
int clamp(int x) {
  return std::clamp<int>(x, std::numeric_limits<Lane>::min(), std::numeric_limits<Lane>::max());
}

#define HOLDS(lane, call, expression)                                                                     \
  CHECK(holds<lane>(                                                                                      \
      call, []([[maybe_unused]] int x, [[maybe_unused]] int y, [[maybe_unused]] int z) { return expression; }, a, b, c))

#define TEST_WIDTH(n, s, u)                                                             \
  HOLDS(u, __vadd##n(a, b), x + y);                                                     \
  HOLDS(u, __vsub##n(a, b), x - y);                                                     \
  HOLDS(u, __vneg##n(a), -x);                                                           \
  HOLDS(s, __vabs##n(a), x < 0 ? -x : x);                                               \
  HOLDS(s, __vabsss##n(a), clamp<s>(x < 0 ? -x : x));                                   \
  HOLDS(s, __vnegss##n(a), clamp<s>(-x));                                               \
  HOLDS(s, __vaddss##n(a, b), clamp<s>(x + y));                                         \
  HOLDS(u, __vaddus##n(a, b), clamp<u>(x + y));                                         \
  HOLDS(s, __vsubss##n(a, b), clamp<s>(x - y));                                         \
  HOLDS(u, __vsubus##n(a, b), clamp<u>(x - y));                                         \
  HOLDS(u, __vavgu##n(a, b), (x + y + 1) / 2);                                          \
  HOLDS(u, __vhaddu##n(a, b), (x + y) / 2);                                             \
  HOLDS(s, __vavgs##n(a, b), static_cast<int>(std::round((x + y) / 2.0)));              \
  HOLDS(s, __vmaxs##n(a, b), std::max(x, y));                                           \
  HOLDS(u, __vminu##n(a, b), std::min(x, y));                                           \
  HOLDS(s, __vabsdiffs##n(a, b), std::abs(x - y));                                      \
  HOLDS(u, __vabsdiffu##n(a, b), std::abs(x - y));                                      \
  HOLDS(u, __vcmpeq##n(a, b), x == y ? -1 : 0);                                         \
  HOLDS(s, __vcmpges##n(a, b), x >= y ? -1 : 0);                                        \
  HOLDS(u, __vcmpltu##n(a, b), x < y ? -1 : 0);                                         \
  HOLDS(u, __vsetne##n(a, b), x != y);                                                  \
  HOLDS(s, __vsetgts##n(a, b), x > y);                                                  \
  HOLDS(u, __vsetleu##n(a, b), x <= y)

void test_words(unsigned a, unsigned b, unsigned c) {
  TEST_WIDTH(2, std::int16_t, std::uint16_t);
  TEST_WIDTH(4, std::int8_t, std::uint8_t);
  HOLDS(std::int16_t, __vimax3_s16x2(a, b, c), std::max({x, y, z}));
  HOLDS(std::uint16_t, __vimin3_u16x2(a, b, c), std::min({x, y, z}));
  HOLDS(std::int16_t, __viaddmax_s16x2(a, b, c), std::max<int>(static_cast<std::int16_t>(x + y), z));
  HOLDS(std::int16_t, __viaddmin_s16x2_relu(a, b, c), std::max(0, std::min<int>(static_cast<std::int16_t>(x + y), z)));
  HOLDS(std::int16_t, __vimax_s16x2_relu(a, b), std::max({x, y, 0}));
  bool high, low;
  HOLDS(std::int16_t, __vibmax_s16x2(a, b, &high, &low), std::max(x, y));
  CHECK(low == (static_cast<short>(a) >= static_cast<short>(b)) && high == (static_cast<short>(a >> 16) >= static_cast<short>(b >> 16)));
  const int sa = static_cast<int>(a), sb = static_cast<int>(b), sc = static_cast<int>(c);
  CHECK(__vimax3_s32(sa, sb, sc) == std::max({sa, sb, sc}) && __vimin3_u32(a, b, c) == std::min({a, b, c}));
  CHECK(__viaddmax_s32(sa, sb, sc) == std::max(static_cast<int>(a + b), sc) && __viaddmin_u32(a, b, c) == std::min(a + b, c));
  CHECK(__vimin_s32_relu(sa, sb) == std::max(0, std::min(sa, sb)) && __vimax3_s32_relu(sa, sb, sc) == std::max({sa, sb, sc, 0}));
}

int main() {
  for (const unsigned a : words) {
    for (const unsigned b : words) {
      for (const unsigned c : words) test_words(a, b, c);
    }
  }
  CHECK(__vsads4(0x80000000u, 0x7f000000u) == 255 && __vsadu2(0x0005000au, 0x00010003u) == 11);
  CHECK(__dp2a_lo(0x00020003, 0x01010504, 1) == 1 + 3 * 4 + 2 * 5 && __dp2a_hi(0x00020003u, 0x07060504u, 1u) == 1 + 3 * 6 + 2 * 7);
  CHECK(__dp4a(make_char4(1, -2, 3, 4), make_char4(1, 1, 1, -1), 10) == 8 && __dp2a_lo(make_short2(2, 3), make_char4(4, 5, 6, 7), 0) == 23);
  return 0;
}
