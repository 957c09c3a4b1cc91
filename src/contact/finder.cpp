#include "contact/finder.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <tuple>

#include "base/check.h"
#include "contact/tolerances.h"
#include "shapes/bounds.h"

namespace tenpin::contact {

namespace {

constexpr std::size_t kMostFoundContacts = std::size_t{1} << 21;  // some 0.7 GB

void check_number(std::size_t num_contacts) {
  if (num_contacts <= kMostFoundContacts) return;
  throw LimitError("too many contacts at once, want at most " + std::to_string(kMostFoundContacts) +
                   " (a fixed limit, no flag raises it)");
}

bool boxes_overlap(const shapes::Aabb& a, const shapes::Aabb& b) {
  return (a.lower.array() <= b.upper.array()).all() && (b.lower.array() <= a.upper.array()).all();
}

bool box_contains(const shapes::Aabb& outer, const shapes::Aabb& inner) {
  return (outer.lower.array() <= inner.lower.array()).all() &&
         (inner.upper.array() <= outer.upper.array()).all();
}

collide::Pair parts_of(const Contact& c) {
  return {.first = c.key.part_a, .second = c.key.part_b};
}

// The direction along which neither of two bodies can move, if it is perpendicular to the normal:
// friction then acts along one line. Zero if there is no such direction.
Vec3 find_shared_plane(const dynamics::Model& model, int body_a, int body_b, const Vec3& normal) {
  const dynamics::Body& a = model.bodies[body_a];
  const dynamics::Body& b = model.bodies[body_b];
  const Vec3& axis = a.is_mobile() ? a.plane : b.plane;
  const Vec3& other = a.is_mobile() ? b.plane : a.plane;
  const dynamics::Body& partner = a.is_mobile() ? b : a;
  if (axis.squaredNorm() == 0.0 || std::fabs(axis.dot(normal)) > kParallelAxis) return Vec3::Zero();
  if (partner.is_mobile()) {
    return other.squaredNorm() > 0.0 && other.cross(axis).norm() <= kParallelAxis
               ? axis
               : Vec3(Vec3::Zero());
  }
  return stands_still(model, a.is_mobile() ? body_b : body_a) ? axis : Vec3(Vec3::Zero());
}

void set_frame(const dynamics::Model& model, const std::vector<Pose>& X_WB, int material_a,
               int material_b, Contact* c) {
  const Vec3 plane = find_shared_plane(model, c->body_a, c->body_b, c->normal);
  c->is_planar = plane.squaredNorm() > 0.0;
  if (c->is_planar) {
    c->t2 = plane;
    c->t1 = c->t2.cross(c->normal);
    return;
  }
  // The grain of an anisotropic surface: that of b if it has one, otherwise that of a. A limit
  // surface uses the grain of its own material.
  const Vec3& grain_b = model.materials[material_b].axis;
  const Vec3& grain_a = model.materials[material_a].axis;
  const bool limited_by_a =
      model.surface(material_a, material_b).limit >= 0 && model.materials[material_a].has_limit;
  const Vec3 axis = grain_b.squaredNorm() > 0.0 && !limited_by_a
                        ? Vec3(X_WB[c->body_b].R * grain_b)
                        : Vec3(X_WB[c->body_a].R * grain_a);
  const Tangents t = calc_tangents(c->normal, axis);
  c->t1 = t.t1;
  c->t2 = t.t2;
}

}  // namespace

Contact make_contact(const dynamics::Model& model, int part_a, int part_b,
                     const std::vector<Pose>& X_WB, const collide::ContactPoint& point) {
  Contact c;
  c.key = {.part_a = part_a,
           .part_b = part_b,
           .feature_a = point.feature_A,
           .feature_b = point.feature_B};
  c.body_a = model.parts[part_a].body;
  c.body_b = model.parts[part_b].body;
  c.normal = point.normal;
  c.p_a = point.p_A;
  c.p_b = point.p_B;
  c.gap = point.gap;
  c.radius_a = point.radius_A;
  c.radius_b = point.radius_B;
  const int material_a = model.parts[part_a].material;
  const int material_b = model.parts[part_b].material;
  set_frame(model, X_WB, material_a, material_b, &c);
  const dynamics::Surface& s = model.surface(material_a, material_b);
  c.mu = s.mu_along;
  c.mu_across = s.mu_across;
  c.mu_static = s.mu_static;
  c.torsion = s.torsion;
  c.rolling = s.rolling;
  if (s.limit >= 0) {
    c.limit = &model.limits[s.limit];
    c.mu = c.mu_across = c.mu_static = c.limit->mu;
    c.torsion = c.limit->radius;
  }
  if (c.mu_across > c.mu && !c.is_planar) {  // t1 is the direction of the larger coefficient
    std::swap(c.mu, c.mu_across);
    c.mu_static = std::max(c.mu_static, c.mu);
    const Vec3 t1 = c.t1;
    c.t1 = c.t2;
    c.t2 = -t1;
  }
  c.stribeck_speed = s.stribeck_speed;
  c.viscous = s.viscous;
  c.restitution = s.restitution;
  c.stiffness = s.stiffness;
  const Vec3& belt_a = model.parts[part_a].surface_velocity;
  const Vec3& belt_b = model.parts[part_b].surface_velocity;
  c.has_belt = !belt_a.isZero(0.0) || !belt_b.isZero(0.0);
  if (c.has_belt) c.belt = X_WB[c.body_b].R * belt_b - X_WB[c.body_a].R * belt_a;
  return c;
}

ContactFinder::ContactFinder(const dynamics::Model& model, const Workers* workers)
    : model_(&model),
      workers_(workers),
      X_WS_(model.parts.size()),
      boxes_(model.parts.size()),
      searches_(workers == nullptr ? 1 : workers->size()) {}

// Bodies that are welded together, and a body and its parent, may overlap by construction.
bool ContactFinder::joined(const dynamics::Body& a, const dynamics::Body& b) {
  return a.weld == b.weld || (a.weld_parent == b.weld && !a.touches_parent) ||
         (b.weld_parent == a.weld && !b.touches_parent);
}

bool ContactFinder::may_touch(int part_a, int part_b) const {
  const dynamics::Part& pa = model_->parts[part_a];
  const dynamics::Part& pb = model_->parts[part_b];
  const int a = pa.body;
  const int b = pb.body;
  if (a == b || (!model_->bodies[a].is_mobile() && !model_->bodies[b].is_mobile())) return false;
  const auto listed = [](const std::vector<std::pair<int, int>>& pairs, int i, int j) {
    return std::binary_search(pairs.begin(), pairs.end(),
                              std::pair(std::min(i, j), std::max(i, j)));
  };
  if (listed(model_->always_touch, part_a, part_b)) return true;
  if (((pa.layer & pb.touches) | (pb.layer & pa.touches)) == 0U) return false;
  if (joined(model_->bodies[a], model_->bodies[b])) return false;
  return !listed(model_->never_touch, a, b);
}

void ContactFinder::update_boxes(const std::vector<Pose>& X_WB, std::span<const double> reach) {
  split(workers_, static_cast<int>(model_->parts.size()), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const dynamics::Part& part = model_->parts[i];
      X_WS_[i] = X_WB[part.body] * part.placed.X_BS;
      boxes_[i] = shapes::calc_bounds(part.placed.shape, X_WS_[i]);
      const Vec3 grow = Vec3::Constant(reach[part.body]);
      boxes_[i].lower -= grow;
      boxes_[i].upper += grow;
    }
  });
}

bool ContactFinder::has_current_pairs() const {
  if (roomy_.size() != boxes_.size()) return false;
  std::atomic<bool> all = true;
  split(workers_, static_cast<int>(boxes_.size()), [&](int begin, int end) {
    bool some = true;
    for (int i = begin; some && i < end; ++i) some = box_contains(roomy_[i], boxes_[i]);
    if (!some) all.store(false, std::memory_order_relaxed);
  });
  return all;
}

void ContactFinder::update_pairs(std::span<const double> reach) {
  // -   Enlargement of the boxes, times the reach: enough for a step or two of fast bodies, and for
  // many steps of resting bodies.
  constexpr double kRoom = 4.0;
  if (has_current_pairs()) return;
  roomy_.resize(boxes_.size());
  split(workers_, static_cast<int>(boxes_.size()), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Vec3 grow = Vec3::Constant(kRoom * reach[model_->parts[i].body]);
      roomy_[i] = {.lower = boxes_[i].lower - grow, .upper = boxes_[i].upper + grow};
    }
  });
  const std::span<const collide::Pair> near = broad_phase_.update(roomy_, workers_);
  is_pair_.resize(near.size());
  split(workers_, static_cast<int>(near.size()), [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      is_pair_[i] = may_touch(near[i].first, near[i].second) ? 1 : 0;
  });
  pairs_.clear();
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (is_pair_[i] != 0) pairs_.push_back(near[i]);
  }
}

void ContactFinder::carry_points(const collide::Pair& pair,
                                 std::vector<collide::ContactPoint>* points) const {
  const auto carry = [this](int body, const Vec3& p) {
    if (!model_->bodies[body].is_mobile()) return p;
    return Vec3((*X_carried_)[body] * (earlier_->X_WB[body].inverse() * p));
  };
  const std::span<const Contact> known = earlier_->contacts;
  auto c = std::lower_bound(known.begin(), known.end(), pair,
                            [](const Contact& contact, const collide::Pair& wanted) {
                              return parts_of(contact) < wanted;
                            });
  for (; c != known.end() && parts_of(*c) == pair; ++c) {
    const Vec3 p_A = carry(c->body_a, c->p_a);
    const Vec3 p_B = carry(c->body_b, c->p_b);
    points->push_back({.p_A = p_A,
                       .p_B = p_B,
                       .normal = c->normal,
                       .gap = c->gap + c->normal.dot((p_B - c->p_b) - (p_A - c->p_a)),
                       .radius_A = c->radius_a,
                       .radius_B = c->radius_b,
                       .feature_A = c->key.feature_a,
                       .feature_B = c->key.feature_b});
  }
}

// Writes the contact points of one pair to search->points, in the order of their features.
void ContactFinder::find_points(const collide::Pair& pair, double margin, Search* search) const {
  std::vector<collide::ContactPoint>& points = search->points;
  points.clear();
  if (earlier_ != nullptr && earlier_->moved[model_->parts[pair.first].body] == 0 &&
      earlier_->moved[model_->parts[pair.second].body] == 0) {
    carry_points(pair, &points);
    return;
  }
  search->narrow_phase.append_manifold({.A = model_->parts[pair.first].placed.shape,
                                        .X_WA = X_WS_[pair.first],
                                        .B = model_->parts[pair.second].placed.shape,
                                        .X_WB = X_WS_[pair.second]},
                                       margin, &points);
  const double kept = find_kept_overlap(*model_, pair.first, pair.second);
  for (collide::ContactPoint& point : points) point.gap += kept;
  std::sort(points.begin(), points.end(), [](const auto& p, const auto& q) {
    return std::tie(p.feature_A, p.feature_B) < std::tie(q.feature_A, q.feature_B);
  });
}

void ContactFinder::append_points(const collide::Pair& pair, const std::vector<Pose>& X_WB,
                                  double margin, Search* search,
                                  std::vector<Contact>* contacts) const {
  find_points(pair, margin, search);
  check_number(contacts->size() + search->points.size());
  for (const collide::ContactPoint& point : search->points) {
    contacts->push_back(make_contact(*model_, pair.first, pair.second, X_WB, point));
  }
}

void ContactFinder::find_pairs(std::span<const collide::Pair> pairs, const std::vector<Pose>& X_WB,
                               std::span<const double> reach, std::vector<Contact>* contacts) {
  for (const collide::Pair& pair : pairs) {
    for (const int i : {pair.first, pair.second}) {
      X_WS_[i] = X_WB[model_->parts[i].body] * model_->parts[i].placed.X_BS;
    }
    append_points(pair, X_WB, calc_margin(pair, reach), searches_.data(), contacts);
  }
}

double ContactFinder::calc_margin(const collide::Pair& pair, std::span<const double> reach) const {
  return reach[model_->parts[pair.first].body] + reach[model_->parts[pair.second].body];
}

void ContactFinder::find(const std::vector<Pose>& X_WB, std::span<const double> reach,
                         std::vector<Contact>* contacts) {
  find_from(contacts->size(), X_WB, reach, contacts);
}

void ContactFinder::find(const std::vector<Pose>& X_WB, std::span<const double> reach,
                         std::span<const Contact> first, std::vector<Contact>* contacts) {
  if (contacts->size() < first.size()) contacts->resize(first.size());
  std::copy(first.begin(), first.end(), contacts->begin());
  find_from(first.size(), X_WB, reach, contacts);
}

void ContactFinder::find_near(const std::vector<Pose>& X_WB, std::span<const double> reach,
                              const Earlier& earlier, std::span<const Contact> first,
                              std::vector<Contact>* contacts) {
  earlier_ = &earlier;
  X_carried_ = &X_WB;
  find(X_WB, reach, first, contacts);
  earlier_ = nullptr;
}

// Finds contacts and overwrites *contacts from index `begin` on.
void ContactFinder::find_from(std::size_t begin, const std::vector<Pose>& X_WB,
                              std::span<const double> reach, std::vector<Contact>* contacts) {
  update_boxes(X_WB, reach);
  update_pairs(reach);
  if (searches_.size() > 1 && pairs_.size() > kPairsAtATime) {
    find_by_pieces(begin, X_WB, reach, contacts);
    return;
  }
  contacts->resize(begin);
  for (const collide::Pair& pair : pairs_) {
    if (!boxes_overlap(boxes_[pair.first], boxes_[pair.second])) continue;
    append_points(pair, X_WB, calc_margin(pair, reach), searches_.data(), contacts);
  }
}

void ContactFinder::find_piece(int index, std::span<const double> reach, Search* search) {
  Piece& piece = pieces_[index];
  piece.points.clear();
  piece.pairs.clear();
  const int end = std::min(static_cast<int>(pairs_.size()), (index + 1) * kPairsAtATime);
  for (int k = index * kPairsAtATime; k < end; ++k) {
    const collide::Pair& pair = pairs_[k];
    if (!boxes_overlap(boxes_[pair.first], boxes_[pair.second])) continue;
    find_points(pair, calc_margin(pair, reach), search);
    piece.points.insert(piece.points.end(), search->points.begin(), search->points.end());
    piece.pairs.resize(piece.points.size(), k);
  }
}

// Finds contacts on all threads. The contacts and their order are the same for any number of
// threads. Existing contacts are overwritten: constructing new ones on one thread would take as
// long as filling them in on two.
void ContactFinder::find_by_pieces(std::size_t begin, const std::vector<Pose>& X_WB,
                                   std::span<const double> reach, std::vector<Contact>* contacts) {
  const int num_pieces = (static_cast<int>(pairs_.size()) + kPairsAtATime - 1) / kPairsAtATime;
  if (static_cast<int>(pieces_.size()) < num_pieces) pieces_.resize(num_pieces);
  workers_->run(num_pieces, [&](int i, int worker) {
    find_piece(i, reach, &searches_[worker]);
  });
  for (int i = 0; i < num_pieces; ++i) {
    pieces_[i].begin = begin;
    begin += pieces_[i].points.size();
  }
  check_number(begin);
  contacts->resize(begin);
  workers_->run(num_pieces, [&](int i, int) {
    const Piece& piece = pieces_[i];
    for (std::size_t k = 0; k < piece.points.size(); ++k) {
      const collide::Pair& pair = pairs_[piece.pairs[k]];
      (*contacts)[piece.begin + k] =
          make_contact(*model_, pair.first, pair.second, X_WB, piece.points[k]);
    }
  });
}

void ContactFinder::find_again(const std::vector<Pose>& X_WB, std::span<const double> reach,
                               std::span<const char> moved, std::span<const Contact> before,
                               std::vector<Contact>* contacts) {
  update_boxes(X_WB, reach);
  update_pairs(reach);
  auto known = std::find_if(before.begin(), before.end(), [](const Contact& c) {
    return c.kind == ContactKind::kSurface;
  });
  for (const collide::Pair& pair : pairs_) {
    if (!boxes_overlap(boxes_[pair.first], boxes_[pair.second])) continue;
    if (moved[model_->parts[pair.first].body] != 0 || moved[model_->parts[pair.second].body] != 0) {
      append_points(pair, X_WB, calc_margin(pair, reach), searches_.data(), contacts);
      continue;
    }
    while (known != before.end() && parts_of(*known) < pair) ++known;
    for (; known != before.end() && parts_of(*known) == pair; ++known) contacts->push_back(*known);
  }
}

std::span<Contact> first_pair(std::span<Contact> sorted) {
  const ContactKey& first = sorted.front().key;
  const auto end = std::find_if(sorted.begin(), sorted.end(), [&](const Contact& c) {
    return c.key.part_a != first.part_a || c.key.part_b != first.part_b;
  });
  return sorted.first(static_cast<std::size_t>(end - sorted.begin()));
}

const Contact* find_contact(std::span<const Contact> sorted, const ContactKey& key) {
  const auto place = std::lower_bound(sorted.begin(), sorted.end(), key,
                                      [](const Contact& c, const ContactKey& k) {
                                        return c.key < k;
                                      });
  return place != sorted.end() && place->key == key ? &*place : nullptr;
}

const Contact* find_contact(std::span<const Contact> sorted, const ContactKey& key,
                            std::size_t* next) {
  const bool is_next = *next < sorted.size() && sorted[*next].key == key;
  const Contact* const found = is_next ? &sorted[*next] : find_contact(sorted, key);
  if (found != nullptr) *next = static_cast<std::size_t>(found - sorted.data()) + 1;
  return found;
}

}  // namespace tenpin::contact
