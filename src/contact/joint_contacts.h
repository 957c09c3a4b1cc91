// Joints as contacts: their stops, and the dry friction in them.
#pragma once

#include <vector>

#include "contact/contact.h"
#include "dynamics/model.h"

namespace tenpin::contact {

// One stop of a joint as it is, however far away; a ball joint has the upper one only, which has no
// direction where the ball has not turned.
[[nodiscard]] Contact make_joint_limit(const dynamics::Model& model, int body, bool upper,
                                       ConstVecRef q);

// Appends the stops that joints are at, past, or may reach within h seconds, sorted by key; their
// keys come before those of surfaces.
void append_joint_limits(const dynamics::Model& model, ConstVecRef q, ConstVecRef v, double h,
                         std::vector<Contact>* contacts);

// Appends one contact per velocity of each joint with dry friction. It has no normal row; the law
// takes its friction from a given normal impulse.
void append_joint_friction(const dynamics::Model& model, std::vector<Contact>* contacts);

// N s, N m s   the most that dry friction gives in h seconds.
[[nodiscard]] double calc_joint_friction(const dynamics::Model& model, const Contact& contact,
                                         double h);

}  // namespace tenpin::contact
