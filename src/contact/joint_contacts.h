// Stops and dry friction of joints as contacts.
#pragma once

#include <vector>

#include "contact/contact.h"
#include "dynamics/model.h"

namespace tenpin::contact {

// One stop of a joint at its current distance, however large the distance is. A ball joint has only
// the upper stop, which has no direction while the rotation is zero.
[[nodiscard]] Contact make_joint_limit(const dynamics::Model& model, int body, bool upper,
                                       ConstVecRef q);

// Appends the stops that joints have reached or passed, or may reach within h seconds, sorted by
// key; their keys precede those of surfaces.
void append_joint_limits(const dynamics::Model& model, ConstVecRef q, ConstVecRef v, double h,
                         std::vector<Contact>* contacts);

// Appends one contact per velocity of each joint with dry friction. It has no normal row; its limit
// of friction comes from a given normal impulse.
void append_joint_friction(const dynamics::Model& model, std::vector<Contact>* contacts);

// N s, N m s   The largest impulse of dry friction in h seconds.
[[nodiscard]] double calc_joint_friction(const dynamics::Model& model, const Contact& contact,
                                         double h);

}  // namespace tenpin::contact
