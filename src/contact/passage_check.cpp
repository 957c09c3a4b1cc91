// Checks by bisection of time whether bodies passed through each other. Between two times, the
// overlap of a pair is at most its overlap at the middle plus the distance that its points move
// from there.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/rounded.h"
#include "base/text.h"
#include "contact/passage.h"
#include "contact/tolerances.h"

namespace tenpin::contact {

namespace {

// -   of a pair's thickness: an overlap may grow by this much within a step. A body that passes
// through the middle of another overlaps it by the whole thickness, in any direction.
constexpr double kAllowed = 0.25;
constexpr double kSharp = 0.01;  // -   of a pair's thickness: the resolution of the check

}  // namespace

double PassageCheck::calc_overlap(const collide::Pair& pair, const Leg& a, const Leg& b, double s) {
  const shapes::PlacedShape& part_a = model_->parts[pair.first].placed;
  const shapes::PlacedShape& part_b = model_->parts[pair.second].placed;
  return -narrow_phase_
              .calc_distance({.A = part_a.shape,
                              .X_WA = a.at(s) * part_a.X_BS,
                              .B = part_b.shape,
                              .X_WB = b.at(s) * part_b.X_BS})
              .gap;
}

// m   By how much the deepest overlap on the way exceeds `limit` and the overlap at the start; 0 if
// no overlap is that deep.
double PassageCheck::calc_depth(const collide::Pair& pair, double limit) {
  const double radius_a = swept_.core_radius(pair.first);
  const double radius_b = swept_.core_radius(pair.second);
  const double sharp = kSharp * swept_.calc_thickness(pair);
  double start = 0.0;
  bool is_first = true;
  int looks = 0;
  for (const Leg& a : legs_a_) {
    for (const Leg& b : legs_b_) {
      const double from = std::max(a.begin(), b.begin());
      const double to = std::min(a.end(), b.end());
      if (to <= from) continue;
      if (is_first) start = std::max(0.0, calc_overlap(pair, a, b, from));
      is_first = false;
      const double speed = a.calc_speed(radius_a) + b.calc_speed(radius_b);
      open_.assign(1, {from, to});
      while (!open_.empty()) {
        const auto [begin, end] = open_.back();
        open_.pop_back();
        const double middle = 0.5 * (begin + end);
        const double overlap = calc_overlap(pair, a, b, middle) - start;
        const double more = 0.5 * (end - begin) * speed;
        if (overlap > limit || ++looks > kMaxPassageHalvings) return std::max(overlap, 0.0);
        if (overlap + more <= limit || more <= sharp) continue;
        open_.emplace_back(middle, end);
        open_.emplace_back(begin, middle);
      }
    }
  }
  return 0.0;
}

double PassageCheck::calc_size(const ContactKey& key) const {
  const auto size = [this](int part) {
    return std::pair(swept_.extent(part), swept_.thickness(part));
  };
  return std::min(size(key.part_a), size(key.part_b)).second;
}

std::optional<Passage> PassageCheck::find_worst(const Sweep& sweep) {
  std::optional<Passage> worst;
  for (const collide::Pair& pair : swept_.find(sweep)) {
    const int body_a = model_->parts[pair.first].body;
    const int body_b = model_->parts[pair.second].body;
    legs_a_.clear();
    legs_b_.clear();
    swept_.find_legs(sweep, body_a, &legs_a_);
    swept_.find_legs(sweep, body_b, &legs_b_);
    const double depth = calc_depth(pair, kAllowed * swept_.calc_thickness(pair));
    if (depth > 0.0 && (!worst || depth > worst->depth)) {
      worst = Passage{.body_a = body_a, .body_b = body_b, .depth = depth};
    }
  }
  return worst;
}

std::string to_text(const Passage& passage, const dynamics::Model& model) {
  return model.bodies[passage.body_a].name + " and " + model.bodies[passage.body_b].name +
         " passed through each other within the step, at least " + to_rounded(passage.depth) +
         " m deep";
}

}  // namespace tenpin::contact
