// How a cylinder's cap touches a flat face.
#pragma once

#include <vector>

#include "contact/contact.h"
#include "dynamics/model.h"
#include "math/pose.h"

namespace tenpin::contact {

// The narrow phase gives fixed points of a rim besides its lowest one. A cap whose rim rises by
// more than `flat` (m) rolls on that lowest point alone, however near others are; any other lies
// flat, on the fixed points: a rim so low has no lowest point worth following.   [B89, §4.2]
// Contacts are sorted by pair, and stay so.
void choose_cap_points(const dynamics::Model& model, const std::vector<Pose>& X_WB, double flat,
                       std::vector<Contact>* contacts);

}  // namespace tenpin::contact
