// CUDA's integer intrinsics (CUDA Math API, "Integer Intrinsics").
#pragma once

#include <cstdint>

#include "vector_types.h"

inline int __popc(unsigned int x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(x)); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }

inline unsigned long long __brevll(unsigned long long x) {
  x = __builtin_bswap64(x);
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0full) | (x & 0x0f0f0f0f0f0f0f0full) << 4;
  x = (x >> 2 & 0x3333333333333333ull) | (x & 0x3333333333333333ull) << 2;
  return (x >> 1 & 0x5555555555555555ull) | (x & 0x5555555555555555ull) << 1;
}
inline unsigned int __brev(unsigned int x) { return static_cast<unsigned int>(__brevll(x) >> 32); }

// Bytes of the pair y:x, selected by the nibbles of the selector; a nibble's high bit selects the
// byte's sign instead, repeated eight times.
inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  const std::uint64_t bytes = std::uint64_t{y} << 32 | x;
  unsigned int result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned int nibble = selector >> 4 * i & 15;
    unsigned int byte = static_cast<unsigned int>(bytes >> 8 * (nibble & 7)) & 0xff;
    if ((nibble & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << 8 * i;
  }
  return result;
}

inline int __mulhi(int a, int b) { return static_cast<int>(static_cast<std::int64_t>(a) * b >> 32); }
inline unsigned int __umulhi(unsigned int a, unsigned int b) { return static_cast<unsigned int>(std::uint64_t{a} * b >> 32); }
inline long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline int mulhi(int a, int b) { return __mulhi(a, b); }
inline unsigned int umulhi(unsigned int a, unsigned int b) { return __umulhi(a, b); }
inline long long mul64hi(long long a, long long b) { return __mul64hi(a, b); }
inline unsigned long long umul64hi(unsigned long long a, unsigned long long b) { return __umul64hi(a, b); }

inline unsigned int __umul24(unsigned int a, unsigned int b) { return (a & 0xffffff) * (b & 0xffffff); }
inline int __mul24(int a, int b) {
  // The low 24 bits, with sign.
  const auto low = [](int x) { return static_cast<int>(static_cast<unsigned int>(x) << 8) >> 8; };
  return static_cast<int>(static_cast<unsigned int>(low(a)) * static_cast<unsigned int>(low(b)));
}
inline int mul24(int a, int b) { return __mul24(a, b); }
inline unsigned int umul24(unsigned int a, unsigned int b) { return __umul24(a, b); }

inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>((std::uint64_t{high} << 32 | low) << (shift & 31) >> 32);
}
inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>((std::uint64_t{high} << 32 | low) >> (shift & 31));
}
inline unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
inline unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

inline unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) { return (a > b ? a - b : b - a) + c; }
inline unsigned int __sad(int a, int b, unsigned int c) {
  const auto ua = static_cast<unsigned int>(a), ub = static_cast<unsigned int>(b);
  return (a > b ? ua - ub : ub - ua) + c;
}
inline int __hadd(int a, int b) { return static_cast<int>((static_cast<std::int64_t>(a) + b) >> 1); }
inline int __rhadd(int a, int b) { return static_cast<int>((static_cast<std::int64_t>(a) + b + 1) >> 1); }
inline unsigned int __uhadd(unsigned int a, unsigned int b) { return static_cast<unsigned int>((std::uint64_t{a} + b) >> 1); }
inline unsigned int __urhadd(unsigned int a, unsigned int b) { return static_cast<unsigned int>((std::uint64_t{a} + b + 1) >> 1); }

// Dot products of four bytes, or of two halves with two bytes of the other operand.
inline int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 32; i += 8) c += static_cast<signed char>(a >> i) * static_cast<signed char>(b >> i);
  return c;
}
inline unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
  for (int i = 0; i < 32; i += 8) c += (a >> i & 0xff) * (b >> i & 0xff);
  return c;
}
inline int __dp2a_lo(int a, int b, int c) {
  return c + static_cast<short>(a) * static_cast<signed char>(b) + static_cast<short>(a >> 16) * static_cast<signed char>(b >> 8);
}
inline unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c) {
  return c + (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff);
}
inline int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
inline unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) { return __dp2a_lo(a, b >> 16, c); }

// The same with vectors instead of words.
inline int __dp4a(char4 a, char4 b, int c) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w + c; }
inline unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
  return static_cast<unsigned int>(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w) + c;
}
inline int __dp2a_lo(short2 a, char4 b, int c) { return a.x * b.x + a.y * b.y + c; }
inline int __dp2a_hi(short2 a, char4 b, int c) { return a.x * b.z + a.y * b.w + c; }
inline unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c) { return static_cast<unsigned int>(a.x * b.x + a.y * b.y) + c; }
inline unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c) { return static_cast<unsigned int>(a.x * b.z + a.y * b.w) + c; }

// The position of the n-th set bit from `base` upwards (downwards if n < 0); all ones if there is none.
inline unsigned int __fns(unsigned int mask, unsigned int base, int n) {
  if (n == 0) return (mask >> base & 1) != 0 ? base : ~0u;
  const int step = n > 0 ? 1 : -1;
  int left = n > 0 ? n : -n;
  for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += step) {
    if ((mask >> bit & 1) != 0 && --left == 0) return static_cast<unsigned int>(bit);
  }
  return ~0u;
}
