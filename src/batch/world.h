// The memory of one world and the lanes that work on it.
//
// A world is two arrays, reals and words; each field is an array over bodies or contacts. Element k
// is at k * kStride. The stride is 1 on the CPU; on the GPU the worlds of a warp are interleaved,
// so that its lanes read neighbouring words.
#pragma once

#include "batch/lanes.h"
#include "batch/model.h"

namespace tenpin::batch {

inline constexpr int kMaxNear = 64;     // pairs that are near at the same time
inline constexpr int kMaxColours = 32;  // sets of contacts that share no body

template <class Real_, class Lanes_, int kStride_, int kContacts_>
struct World {
  using Real = Real_;
  using Lanes = Lanes_;
  static constexpr int kLanes = Lanes::kCount;
  static constexpr int kStride = kStride_;
  static constexpr int kContacts = kContacts_;
  static constexpr int kNb = kMaxBodies;
  static constexpr int kNc = kContacts_;

  // Reals. By body, then by contact; the comment gives the unit and who writes it.
  enum : int {
    kX = 0,                       // m        position                            commit
    kQ = kX + 3 * kNb,            // -        orientation of the principal axes   commit
    kV = kQ + 4 * kNb,            // m/s, rad/s                                   commit
    kXHat = kV + 6 * kNb,         // m        predicted pose                      begin
    kQHat = kXHat + 3 * kNb,      // -                                            begin
    kInverse = kQHat + 4 * kNb,   // 1/(kg m^2)  inverse inertia: xx xy xz yy yz zz   begin
    kVFree = kInverse + 6 * kNb,  // m/s      without contact impulses            begin
    kW = kVFree + 6 * kNb,        // m/s      what impulses add; later all        sweep, certify
    kWLast = kXHat,               // m/s      kW before the sweep, in place of the predicted pose
    kBodyEnd = kW + 6 * kNb,
    kN = kBodyEnd,             // -        normal from a to b                  find
    kT = kN + 3 * kNc,         // -        first tangent                       assemble
    kArmA = kT + 3 * kNc,      // m        point on a (find), arm of a         assemble
    kArmB = kArmA + 3 * kNc,   // m        arm of b                            assemble
    kFree = kArmB + 3 * kNc,   // m/s      gap (find), q of the law            assemble
    kBlock = kFree + 3 * kNc,  // 1/kg     compliant own block: nn n1 n2 11 12 22   assemble
    kR = kBlock + 6 * kNc,     // N s      impulse along n, t1, t2             sweep
    kRLast = kR + 3 * kNc,     // N s      impulse before the sweep            sweep
    kMu = kRLast + 3 * kNc,    // -                                            assemble
    kRate = kMu + kNc,         // 1/kg     slip's multiplier, for the next solve   sweep
    kInvN = kRate + kNc,       // kg       1 / block nn                        assemble
    kInvT = kInvN + kNc,       // kg^2     1 / determinant of the tangents' block  assemble
    kReals = kInvT + kNc,
  };
  // Words.
  enum : int {
    kKey = 0,                           // of the step before; pair * 2^16 + test    recall
    kNewKey = kNc,                      // of this step                              find
    kBodies = 2 * kNc,                  // a + 2^8 b + 2^16 colour                   find, colour
    kOrder = 3 * kNc,                   // contacts between loose bodies by colour   colour
    kNear = 4 * kNc,                    // pairs                                     find
    kCount = kNear + kMaxNear,          // contacts of each colour                   colour
    kFirst = kCount + kMaxColours,      // place of each colour's first              colour
    kFixed = kFirst + kMaxColours + 1,  // by body: its contacts with fixed ones     colour
    kWords = kFixed + kNb,
  };

  Real* reals;
  Word* words;
  const Model<Real>* model;
  Lanes lanes;

#if defined(TENPIN_BATCH_CHECKED)
  Real& at(int k) const {
    if (k < 0 || k >= kReals) __builtin_trap();
    return reals[k * kStride];
  }
  Word& word(int k) const {
    if (k < 0 || k >= kWords) __builtin_trap();
    return words[k * kStride];
  }
#else
  TENPIN_INLINE Real& at(int k) const {
    return reals[k * kStride];
  }
  TENPIN_INLINE Word& word(int k) const {
    return words[k * kStride];
  }
#endif

  TENPIN_INLINE Vector<Real> read(int field, int size, int k) const {
    return {at(field + k), at(field + size + k), at(field + 2 * size + k)};
  }
  TENPIN_INLINE void write(int field, int size, int k, Vector<Real> v) const {
    at(field + k) = v.x;
    at(field + size + k) = v.y;
    at(field + 2 * size + k) = v.z;
  }
  TENPIN_INLINE Vector<Real> body(int field, int b) const {
    return read(field, kNb, b);
  }
  TENPIN_INLINE void set_body(int field, int b, Vector<Real> v) const {
    write(field, kNb, b, v);
  }
  TENPIN_INLINE Vector<Real> contact(int field, int c) const {
    return read(field, kNc, c);
  }
  TENPIN_INLINE void set_contact(int field, int c, Vector<Real> v) const {
    write(field, kNc, c, v);
  }
  TENPIN_INLINE Quaternion<Real> rotation(int field, int b) const {
    return {at(field + b), at(field + kNb + b), at(field + 2 * kNb + b), at(field + 3 * kNb + b)};
  }
  TENPIN_INLINE void set_rotation(int field, int b, Quaternion<Real> q) const {
    at(field + b) = q.w;
    at(field + kNb + b) = q.x;
    at(field + 2 * kNb + b) = q.y;
    at(field + 3 * kNb + b) = q.z;
  }

  // Offset of the second half of a field of six reals per body: angular velocities.
  static constexpr int kAngular = 3 * kNb;
  static constexpr TENPIN_INLINE int body_a(Word bodies) {
    return int(bodies & 255U);
  }
  static constexpr TENPIN_INLINE int body_b(Word bodies) {
    return int((bodies >> 8) & 255U);
  }
  static constexpr TENPIN_INLINE int colour(Word bodies) {
    return int(bodies >> 16);
  }
  static constexpr TENPIN_INLINE bool is_fixed(int a) {
    return a >= kFixedFlag;
  }
};

// The inverse inertia of a body in world axes.
template <class Real>
struct InverseInertia {
  Real xx, xy, xz, yy, yz, zz;
  TENPIN_INLINE Vector<Real> operator*(Vector<Real> t) const {
    return {(xx * t.x + xy * t.y) + xz * t.z, (xy * t.x + yy * t.y) + yz * t.z,
            (xz * t.x + yz * t.y) + zz * t.z};
  }
};
template <class World>
TENPIN_INLINE InverseInertia<typename World::Real> read_inverse(const World& w, int b) {
  constexpr int kNb = World::kNb;
  constexpr int kField = World::kInverse;
  return {w.at(kField + b),           w.at(kField + kNb + b),     w.at(kField + 2 * kNb + b),
          w.at(kField + 3 * kNb + b), w.at(kField + 4 * kNb + b), w.at(kField + 5 * kNb + b)};
}

// The velocity of b relative to a at a contact, along n, t1, t2, from the six velocities per body
// in `field`.
template <class World, class Real = typename World::Real>
TENPIN_INLINE Vector<Real> calc_relative_velocity(const World& w, int field, int c) {
  const Word bodies = w.word(World::kBodies + c);
  const int a = World::body_a(bodies);
  const int b = World::body_b(bodies);
  const Vector<Real> n = w.contact(World::kN, c);
  const Vector<Real> t1 = w.contact(World::kT, c);
  Vector<Real> u =
      w.body(field, b) + cross(w.body(field + World::kAngular, b), w.contact(World::kArmB, c));
  if (!World::is_fixed(a)) {
    u = u -
        (w.body(field, a) + cross(w.body(field + World::kAngular, a), w.contact(World::kArmA, c)));
  }
  return {dot(n, u), dot(t1, u), dot(cross(n, t1), u)};
}

}  // namespace tenpin::batch
