// Polytopes that lie face on face.
#pragma once

#include "contact/contact.h"
#include "dynamics/model.h"
#include "math/pose.h"

namespace tenpin::contact {

// True if the faces closest to the contact's normal are parallel: neither rises above the other by
// more than `flat` (m) along the smaller body. False if a surface is curved.   [B89, §4.2]
[[nodiscard]] bool lie_flat(const dynamics::Model& model, const std::vector<Pose>& X_WB,
                            double flat, const Contact& contact);

}  // namespace tenpin::contact
