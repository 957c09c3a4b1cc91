// The part of a contact record that does not depend on the law.
#pragma once

#include <vector>

#include "contact/contact.h"
#include "contact/report.h"
#include "dynamics/model.h"
#include "math/pose.h"

namespace tenpin::contact {

// Fills names, position, normal and gap. The position of a joint is where its bodies meet, and its
// normal is the joint's axis.
[[nodiscard]] ContactRecord begin_record(const dynamics::Model& model,
                                         const std::vector<Pose>& X_WB, const Contact& contact);

}  // namespace tenpin::contact
