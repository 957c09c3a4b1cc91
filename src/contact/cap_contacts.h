// How a flat end of a cylinder or cone touches a flat face.
#pragma once

#include <vector>

#include "contact/contact.h"
#include "dynamics/model.h"
#include "math/pose.h"

namespace tenpin::contact {

// Chooses contact points for caps of cylinders. The narrow phase gives fixed points of a rim in
// addition to its lowest point. If the rim rises by more than `flat` (m), the cap rolls on the
// lowest point alone, however close the others are. Otherwise it lies flat on the fixed points,
// because the lowest point of a level rim is ill-defined.   [B89, §4.2]
// Contacts are sorted by pair on entry and on return.
void choose_cap_points(const dynamics::Model& model, const std::vector<Pose>& X_WB, double flat,
                       std::vector<Contact>* contacts);

}  // namespace tenpin::contact
