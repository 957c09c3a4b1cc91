// Contacts whose normal the surfaces leave open: a vertex on a vertex or on an edge, or two edges
// side by side.   [B89, §4.1]
#pragma once

#include <span>
#include <vector>

#include "contact/contact.h"
#include "dynamics/model.h"
#include "math/pose.h"

namespace tenpin::contact {

// Gives the contacts of one pair of parts, if they are such, the mean of the normals of all faces
// that meet there, and turns their frames with it. Points at most `near` (m) apart touch. False if
// the contact has a normal of its own, nothing touches, a surface is curved, or the mean does not
// separate the bodies: then the contacts stay as they are.
[[nodiscard]] bool choose_normal(const dynamics::Model& model, const std::vector<Pose>& X_WB,
                                 double near, std::span<Contact> contacts);

}  // namespace tenpin::contact
