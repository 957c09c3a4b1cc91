// Contacts whose normal the surfaces do not determine: a vertex on a vertex or on an edge, or two
// parallel edges.   [B89, §4.1]
#pragma once

#include <span>
#include <vector>

#include "contact/contact.h"
#include "dynamics/model.h"
#include "math/pose.h"

namespace tenpin::contact {

// If the contacts of one pair of parts are of this kind, gives them the mean normal of all faces
// that meet there, and turns their frames accordingly. Points at most `near` (m) apart touch.
// Returns false and leaves the contacts unchanged if the surfaces determine the normal, nothing
// touches, a surface is curved, or the mean normal does not separate the bodies.
[[nodiscard]] bool choose_normal(const dynamics::Model& model, const std::vector<Pose>& X_WB,
                                 double near, std::span<Contact> contacts);

}  // namespace tenpin::contact
