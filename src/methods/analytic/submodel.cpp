#include "methods/analytic/submodel.h"

#include <algorithm>

namespace tenpin::methods::analytic {

bool has_only_loose_bodies(const dynamics::Model& model) {
  return std::all_of(model.mechanisms.begin(), model.mechanisms.end(),
                     [](const dynamics::Mechanism& m) {
                       return m.is_loose;
                     });
}

Submodel::Submodel(const dynamics::Model& whole, const std::vector<int>& mechanisms)
    : whole_(&whole), part_in_model_(whole.parts.size(), -1) {
  std::vector<bool> is_there(whole.mechanisms.size(), false);
  for (const int m : mechanisms) is_there[m] = true;
  model_.gravity = whole.gravity;
  model_.materials = whole.materials;
  model_.surfaces = whole.surfaces;
  model_.limits = whole.limits;  // surfaces refer to them
  std::vector<int> body_in_model(whole.bodies.size(), -1);
  for (int i = 0; i < whole.num_bodies(); ++i) {
    const dynamics::Body& of = whole.bodies[i];
    if (of.is_mobile() && !is_there[of.mechanism]) continue;
    body_in_model[i] = model_.num_bodies();
    bodies_.push_back(i);
    dynamics::Body body = of;
    if (body.joint.parent != dynamics::kWorld) body.joint.parent = body_in_model[body.joint.parent];
    body.parts_begin = static_cast<int>(parts_.size());
    for (int p = of.parts_begin; p < of.parts_end; ++p) {
      part_in_model_[p] = static_cast<int>(parts_.size());
      parts_.push_back(p);
      model_.parts.push_back(whole.parts[p]);
      model_.parts.back().body = body_in_model[i];
    }
    body.parts_end = static_cast<int>(parts_.size());
    model_.bodies.push_back(std::move(body));
  }
  for (const auto& [a, b] : whole.never_touch) {
    if (body_in_model[a] < 0 || body_in_model[b] < 0) continue;
    model_.never_touch.emplace_back(body_in_model[a], body_in_model[b]);
  }
  for (const auto& [a, b] : whole.always_touch) {
    if (part_in_model_[a] < 0 || part_in_model_[b] < 0) continue;
    model_.always_touch.emplace_back(part_in_model_[a], part_in_model_[b]);
  }
  for (dynamics::KeptOverlap kept : whole.kept_overlaps) {
    kept.part_a = part_in_model_[kept.part_a];
    kept.part_b = part_in_model_[kept.part_b];
    if (kept.part_a >= 0 && kept.part_b >= 0) model_.kept_overlaps.push_back(kept);
  }
  assign_coordinates(&model_);
}

void Submodel::take(const VecX& q, const VecX& v, dynamics::State* state) const {
  state->q.resize(model_.nq);
  state->v.resize(model_.nv);
  for (const dynamics::Mechanism& m : model_.mechanisms) {
    const dynamics::Mechanism& of =
        whole_->mechanisms[whole_->bodies[body(m.bodies.front())].mechanism];
    state->q.segment(m.q_begin, m.nq) = q.segment(of.q_begin, of.nq);
    state->v.segment(m.v_begin, m.nv) = v.segment(of.v_begin, of.nv);
  }
}

void Submodel::put(const dynamics::State& state, VecX* q, VecX* v) const {
  for (const dynamics::Mechanism& m : model_.mechanisms) {
    const dynamics::Mechanism& of =
        whole_->mechanisms[whole_->bodies[body(m.bodies.front())].mechanism];
    q->segment(of.q_begin, of.nq) = state.q.segment(m.q_begin, m.nq);
    v->segment(of.v_begin, of.nv) = state.v.segment(m.v_begin, m.nv);
  }
}

contact::ContactKey Submodel::rename(const contact::ContactKey& key) const {
  contact::ContactKey renamed = key;
  renamed.part_a = parts_[key.part_a];
  renamed.part_b = parts_[key.part_b];
  return renamed;
}

Memory Submodel::take(const Memory& memory) const {
  Memory mine;
  mine.h = memory.h;
  for (Memory::Entry entry : memory.entries()) {
    entry.key.part_a = part_in_model_[entry.key.part_a];
    entry.key.part_b = part_in_model_[entry.key.part_b];
    if (entry.key.part_a >= 0 && entry.key.part_b >= 0) mine.remember(entry);
  }
  return mine;
}

void Submodel::put(const Memory& memory, Memory* whole) const {
  for (Memory::Entry entry : memory.entries()) {
    entry.key = rename(entry.key);
    whole->remember(entry);
  }
}

contact::ContactRecord Submodel::rename(contact::ContactRecord record) const {
  record.key = rename(record.key);
  record.body_a = body(record.body_a);
  record.body_b = body(record.body_b);
  return record;
}

}  // namespace tenpin::methods::analytic
