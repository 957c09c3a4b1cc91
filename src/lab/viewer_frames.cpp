#include "lab/viewer_frames.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "contact/key.h"

namespace tenpin::lab {
namespace {

// stands for 1 in a component of a unit vector or quaternion stored as int16
constexpr double kUnit = 32767.0;

std::int16_t to_unit(double value) {
  return static_cast<std::int16_t>(std::lround(std::clamp(value, -1.0, 1.0) * kUnit));
}

// Reactions of joints and loops in the frames that have contacts.
struct ReactionColumns {
  std::vector<std::int32_t> begin = {0};  // row r of the page's reactions is [begin[r], begin[r+1])
  std::vector<std::int32_t> of;           // body that the joint moves, or -1 - loop
  std::vector<float> force, torque;       // N, N m
  std::vector<float> impulse;             // N s
  std::vector<float> axis;                // N m, N   drive, stop

  void add_row(const std::vector<record::ReactionRow>& reactions) {
    for (const record::ReactionRow& r : reactions) {
      of.push_back(r.kind == record::ReactionRow::kLoop ? -1 - r.index : r.index);
      for (std::size_t i = 0; i < 3; ++i) {
        force.push_back(round_for_page(r.force[i]));
        torque.push_back(round_for_page(r.torque[i]));
        impulse.push_back(round_for_page(r.impulse[i]));
      }
      axis.insert(axis.end(), {round_for_page(r.drive), round_for_page(r.stop)});
    }
    begin.push_back(static_cast<std::int32_t>(of.size()));
  }

  void pack(ArrayPacker* packer) const {
    packer->add("reaction_begin", begin, 1);
    packer->add("reaction_of", of, 1);
    packer->add("reaction_force", force);
    packer->add("reaction_torque", torque);
    packer->add("reaction_impulse", impulse);
    packer->add("reaction_axis", axis);
  }
};

std::int64_t ceil_divide(std::int64_t a, std::int64_t b) {
  return a / b + (a % b == 0 ? 0 : 1);
}

struct ContactColumns {
  std::vector<std::int32_t> begin = {0};  // row r of the page's contacts is [begin[r], begin[r+1])
  std::vector<std::int32_t> body;         // a, b
  std::vector<float> position, impulse, gap, slip, residual, duration;
  std::vector<float> work;  // normal, friction
  std::vector<std::int16_t> normal;
  std::vector<std::uint8_t> mode, open;  // open: the force is not unique
  std::vector<std::uint8_t> kind;        // contact::ContactKind

  void add_row(const std::vector<record::ContactRow>& contacts);
  void pack(ArrayPacker* packer) const;
};

void ContactColumns::add_row(const std::vector<record::ContactRow>& contacts) {
  for (const record::ContactRow& c : contacts) {
    const contact::ContactKey key = {c.part_a, c.part_b, c.feature_a, c.feature_b};
    if (key.is_rolling()) continue;  // a moment, at the place of a contact that is drawn
    body.insert(body.end(), {c.body_a, c.body_b});
    for (std::size_t i = 0; i < 3; ++i) {
      position.push_back(round_for_page(c.position[i]));
      impulse.push_back(round_for_page(c.impulse[i]));
      normal.push_back(to_unit(c.normal[i]));
      slip.push_back(round_for_page(c.slip[i]));
    }
    gap.push_back(round_for_page(c.gap));
    kind.push_back(c.part_a < 0 ? static_cast<std::uint8_t>(c.feature_a) : 0);
    residual.push_back(round_for_page(c.residual));
    duration.push_back(round_for_page(c.duration));
    work.insert(work.end(), {round_for_page(c.normal_work), round_for_page(c.friction_work)});
    mode.push_back(c.mode);
    open.push_back(c.force_unique == 0 ? 1 : 0);
  }
  begin.push_back(static_cast<std::int32_t>(mode.size()));
}

void ContactColumns::pack(ArrayPacker* packer) const {
  packer->add("contact_begin", begin, 1);
  packer->add("contact_body", body, 2);
  packer->add("contact_position", position);
  packer->add("contact_normal", normal);
  packer->add("contact_impulse", impulse);
  packer->add("contact_duration", duration);
  packer->add("contact_gap", gap);
  packer->add("contact_slip", slip);
  packer->add("contact_mode", mode);
  packer->add("contact_kind", kind);
  packer->add("contact_open", open);
  packer->add("contact_residual", residual);
  packer->add("contact_work", work);
}

// True if the body's joint has one coordinate.
bool has_axis(const record::HeaderBody& body) {
  return body.joint == dynamics::JointType::kHinge || body.joint == dynamics::JointType::kSlider;
}

struct FrameColumns {
  std::vector<std::int32_t> movers;
  bool with_twists = true;
  std::vector<double> time;
  std::vector<float> position, twist;
  std::vector<std::int16_t> quaternion;    // w x y z
  std::vector<record::HeaderBody> joints;  // moving bodies on a hinge or a slider
  // rad, m and rad/s, m/s   coordinate and rate of each joint
  std::vector<float> joint;

  FrameColumns(const record::RunHeader& header, std::vector<std::int32_t> bodies);
  void add(const record::RunFrame& frame);
  void pack(ArrayPacker* packer) const;

 private:
  // q and -q are the same rotation: the sign is chosen close to the previous one
  std::vector<Quat> last_;
};

FrameColumns::FrameColumns(const record::RunHeader& header, std::vector<std::int32_t> bodies)
    : movers(std::move(bodies)) {
  for (const std::int32_t body : movers)
    if (has_axis(header.bodies[body])) joints.push_back(header.bodies[body]);
}

void FrameColumns::add(const record::RunFrame& frame) {
  time.push_back(frame.t);
  last_.resize(movers.size(), Quat::Identity());
  for (std::size_t slot = 0; slot < movers.size(); ++slot) {
    const record::BodyMotion& body = frame.bodies[movers[slot]];
    Quat q = body.orientation;
    if (q.dot(last_[slot]) < 0.0) q.coeffs() = -q.coeffs();
    last_[slot] = q;
    for (int i = 0; i < 3; ++i) position.push_back(static_cast<float>(body.position[i]));
    for (const double c : {q.w(), q.x(), q.y(), q.z()}) quaternion.push_back(to_unit(c));
    if (!with_twists) continue;
    for (int i = 0; i < 3; ++i) twist.push_back(round_for_page(body.velocity[i]));
    for (int i = 0; i < 3; ++i) twist.push_back(round_for_page(body.angular_velocity[i]));
  }
  for (const record::HeaderBody& body : joints) {
    joint.push_back(static_cast<float>(frame.q[body.q_begin]));
    joint.push_back(round_for_page(frame.v[body.v_begin]));
  }
}

void FrameColumns::pack(ArrayPacker* packer) const {
  packer->add("frame_time", time);
  packer->add("frame_position", position, 3 * movers.size());
  packer->add("frame_quaternion", quaternion, 4 * movers.size());
  if (with_twists) packer->add("frame_twist", twist, 6 * movers.size());
  packer->add("frame_joint", joint, 2 * joints.size());
}

}  // namespace

std::vector<std::int32_t> find_movers(const record::RunHeader& header) {
  std::vector<std::int32_t> movers;
  for (int b = 0; b < header.num_bodies(); ++b)
    if (header.bodies[b].joint != dynamics::JointType::kFixed || header.bodies[b].parent >= 0)
      movers.push_back(b);
  return movers;
}

void pack_start(const record::RunReader& run, ArrayPacker* packer) {
  std::vector<float> poses;
  for (const record::BodyMotion& body : run.read_frame(0).bodies) {
    const Quat& q = body.orientation;
    const Vec3& p = body.position;
    for (const double value : {p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()})
      poses.push_back(static_cast<float>(value));
  }
  packer->add("movers", find_movers(run.header()));
  packer->add("start_pose", poses);
}

std::int64_t pack_frames(const record::RunReader& run, const FrameRange& range,
                         const FrameChoice& choice, ArrayPacker* packer) {
  FrameColumns frames(run.header(), find_movers(run.header()));
  frames.with_twists = choice.with_twists;
  // first contact and number of contacts, by frame
  std::vector<std::pair<std::int64_t, std::int64_t>> contacts_of;
  std::vector<std::pair<std::int64_t, std::int64_t>> reactions_of;
  std::int64_t num_contacts = 0;
  for (std::int64_t k = range.first; k < range.end; k += range.stride) {
    const record::RunFrame frame = run.read_frame(k);
    frames.add(frame);
    contacts_of.emplace_back(frame.first_contact, frame.num_contacts);
    reactions_of.emplace_back(frame.first_reaction, frame.num_reactions);
    num_contacts += frame.num_contacts;
  }
  frames.pack(packer);

  const std::int64_t stride = std::max<std::int64_t>(
      1, ceil_divide(num_contacts * kContactBytes, choice.max_contact_bytes));
  ContactColumns contacts;
  ReactionColumns reactions;
  for (std::size_t k = 0; k < contacts_of.size(); k += static_cast<std::size_t>(stride)) {
    contacts.add_row(run.read_contacts(contacts_of[k].first, contacts_of[k].second));
    reactions.add_row(run.read_reactions(reactions_of[k].first, reactions_of[k].second));
  }
  contacts.pack(packer);
  reactions.pack(packer);
  return stride;
}

void pack_track(const record::RunReader& run, int body, const FrameRange& range,
                ArrayPacker* packer) {
  FrameColumns frames(run.header(), {body});
  for (std::int64_t k = range.first; k < range.end; k += range.stride)
    frames.add(run.read_frame(k));
  frames.pack(packer);
}

}  // namespace tenpin::lab
