#include "contact/begin_record.h"

namespace tenpin::contact {

ContactRecord begin_record(const dynamics::Model& model, const std::vector<Pose>& X_WB,
                           const Contact& contact) {
  ContactRecord r;
  r.key = contact.key;
  r.body_a = contact.body_a;
  r.body_b = contact.body_b;
  r.gap = contact.gap;
  if (contact.kind == ContactKind::kSurface) {
    r.position = 0.5 * (contact.p_a + contact.p_b);
    r.normal = contact.normal;
    return r;
  }
  if (contact.kind == ContactKind::kRollingFriction) {
    r.position = 0.5 * (contact.p_a + contact.p_b);
    r.normal = contact.t1;
    return r;
  }
  const dynamics::Joint& joint = model.bodies[contact.body_b].joint;
  const Pose& X = X_WB[contact.body_b];
  const Mat3 R_WM = X.R * joint.X_MB.R.transpose();
  r.position = X.p - R_WM * joint.X_MB.p;
  r.normal =
      joint.type == dynamics::JointType::kBall ? Vec3(R_WM * contact.direction) : Vec3(R_WM.col(2));
  return r;
}

}  // namespace tenpin::contact
