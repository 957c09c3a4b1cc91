// Eight doubles in memory, and registers that work on two of them at a time on any machine.
//
// The sweep kernels are written once, as templates over a register type L that holds L::kWidth
// doubles: PairLanes here, Avx2Lanes (lanes_avx2.h) and Avx512Lanes (lanes_avx512.h). Each lane is
// rounded like a single double, so the results do not depend on the type.
#pragma once

#include <cstdint>

namespace tenpin::complementarity::cone {

inline constexpr int kNumLanes = 8;

// Functions on lanes are inlined into the kernels, which are compiled for a specific machine.
#define TENPIN_INLINE_LANES inline __attribute__((always_inline))

struct alignas(64) Lanes {
  double x[kNumLanes] = {};
  TENPIN_INLINE_LANES double& operator[](int i) { return x[i]; }
  TENPIN_INLINE_LANES const double& operator[](int i) const { return x[i]; }
};

// Loads the lanes from `first` on into a register.
template <class L>
struct LaneSlice {
  int first = 0;
  TENPIN_INLINE_LANES L read(const Lanes& lanes) const { return L::load(&lanes.x[first]); }
  TENPIN_INLINE_LANES void write(const L& value, Lanes* lanes) const {
    value.store(&lanes->x[first]);
  }
};

struct PairMask {
  using Bits = long long __attribute__((vector_size(16)));
  Bits bits;

  TENPIN_INLINE_LANES friend PairMask operator&(const PairMask& a, const PairMask& b) {
    return {a.bits & b.bits};
  }
  TENPIN_INLINE_LANES friend PairMask operator|(const PairMask& a, const PairMask& b) {
    return {a.bits | b.bits};
  }
  TENPIN_INLINE_LANES friend PairMask operator~(const PairMask& a) { return {~a.bits}; }
};

TENPIN_INLINE_LANES bool any(const PairMask& mask) {
  return (mask.bits[0] | mask.bits[1]) != 0;
}

// Two lanes, in whatever registers the compiler uses for two doubles.
struct PairLanes {
  static constexpr int kWidth = 2;
  using Register = double __attribute__((vector_size(16), may_alias));
  Register x;

  PairLanes() = default;
  TENPIN_INLINE_LANES explicit PairLanes(const Register& value) : x(value) {}
  TENPIN_INLINE_LANES explicit PairLanes(double value) : x{value, value} {}
  TENPIN_INLINE_LANES static PairLanes load(const double* from) {
    return PairLanes(*reinterpret_cast<const Register*>(from));
  }
  TENPIN_INLINE_LANES void store(double* to) const { *reinterpret_cast<Register*>(to) = x; }

  // Loads velocities of two bodies: v[k] is component k of both. `rows` point to the first
  // components.
  TENPIN_INLINE_LANES static void load_rows(const double* const* rows, PairLanes* v) {
    for (int k = 0; k < 6; k += 2) {
      const Register even = load(rows[0] + k).x;
      const Register odd = load(rows[1] + k).x;
      v[k].x = Register{even[0], odd[0]};
      v[k + 1].x = Register{even[1], odd[1]};
    }
  }
  TENPIN_INLINE_LANES static void store_rows(const PairLanes* v, double* const* rows) {
    for (int k = 0; k < 6; k += 2) {
      PairLanes(Register{v[k].x[0], v[k + 1].x[0]}).store(rows[0] + k);
      PairLanes(Register{v[k].x[1], v[k + 1].x[1]}).store(rows[1] + k);
    }
  }

  TENPIN_INLINE_LANES friend PairLanes operator+(const PairLanes& a, const PairLanes& b) {
    return PairLanes(a.x + b.x);
  }
  TENPIN_INLINE_LANES friend PairLanes operator-(const PairLanes& a, const PairLanes& b) {
    return PairLanes(a.x - b.x);
  }
  TENPIN_INLINE_LANES friend PairLanes operator*(const PairLanes& a, const PairLanes& b) {
    return PairLanes(a.x * b.x);
  }
  TENPIN_INLINE_LANES friend PairLanes operator/(const PairLanes& a, const PairLanes& b) {
    return PairLanes(a.x / b.x);
  }
  TENPIN_INLINE_LANES friend PairLanes operator-(const PairLanes& a) { return PairLanes(-a.x); }
  TENPIN_INLINE_LANES friend PairMask operator<(const PairLanes& a, const PairLanes& b) {
    return {a.x < b.x};
  }
  TENPIN_INLINE_LANES friend PairMask operator>(const PairLanes& a, const PairLanes& b) {
    return {a.x > b.x};
  }
  TENPIN_INLINE_LANES friend PairMask operator<=(const PairLanes& a, const PairLanes& b) {
    return {a.x <= b.x};
  }
  TENPIN_INLINE_LANES friend PairMask operator>=(const PairLanes& a, const PairLanes& b) {
    return {a.x >= b.x};
  }
};

TENPIN_INLINE_LANES PairLanes choose(const PairMask& mask, const PairLanes& yes,
                                     const PairLanes& no) {
  return PairLanes(mask.bits ? yes.x : no.x);
}

TENPIN_INLINE_LANES PairLanes square_root(const PairLanes& a) {
  return PairLanes(PairLanes::Register{__builtin_sqrt(a.x[0]), __builtin_sqrt(a.x[1])});
}

// The larger number; defined in the same way for every register type. Returns b where a number is
// NaN.
template <class L>
TENPIN_INLINE_LANES L larger(const L& a, const L& b) {
  return choose(a > b, a, b);
}

}  // namespace tenpin::complementarity::cone
