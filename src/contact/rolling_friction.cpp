#include "contact/rolling_friction.h"

namespace tenpin::contact {

namespace {

// Bodies that move in a plane turn about its normal.
Contact make_rolling_friction(const Contact& of, int index) {
  Contact c;
  c.key = of.key;
  c.key.feature_a |= kRollingBit;
  c.kind = ContactKind::kRollingFriction;
  c.body_a = of.body_a;
  c.body_b = of.body_b;
  c.is_planar = of.is_planar;
  c.t1 = of.is_planar ? of.t2 : of.t1;
  c.t2 = of.is_planar ? Vec3(Vec3::Zero()) : of.t2;
  c.p_a = of.p_a;
  c.p_b = of.p_b;
  c.gap = of.gap;
  c.mu = c.mu_across = c.mu_static = 1.0;  // impulses are moments over `rolling`
  c.rolling = of.rolling;
  c.load = index;
  return c;
}

}  // namespace

void append_rolling_friction(int num_contacts, std::vector<Contact>* contacts) {
  for (int i = 0; i < num_contacts; ++i) {
    const Contact& of = (*contacts)[i];
    if (of.kind != ContactKind::kSurface || !(of.rolling > 0.0)) continue;
    contacts->push_back(make_rolling_friction(of, i));
  }
}

}  // namespace tenpin::contact
