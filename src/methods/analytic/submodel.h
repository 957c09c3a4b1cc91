// A model of some loose bodies alone, with everything that no force moves: bodies that cannot meet
// the others for a while are simulated without them.
#pragma once

#include <vector>

#include "contact/report.h"
#include "dynamics/model.h"
#include "dynamics/state.h"
#include "methods/analytic/memory.h"

namespace tenpin::methods::analytic {

class Submodel {
 public:
  // Takes the listed mechanisms from a model whose mechanisms are all loose.
  Submodel(const dynamics::Model& whole, const std::vector<int>& mechanisms);

  const dynamics::Model& model() const { return model_; }
  int body(int i) const { return bodies_[i]; }  // in the whole model

  // Copies their part of a state, and back.
  void take(const VecX& q, const VecX& v, dynamics::State* state) const;
  void put(const dynamics::State& state, VecX* q, VecX* v) const;
  [[nodiscard]] Memory take(const Memory& memory) const;
  void put(const Memory& memory, Memory* whole) const;
  // The record in terms of the whole model.
  [[nodiscard]] contact::ContactRecord rename(contact::ContactRecord record) const;

 private:
  [[nodiscard]] contact::ContactKey rename(const contact::ContactKey& key) const;

  dynamics::Model model_;
  const dynamics::Model* whole_;
  std::vector<int> bodies_, parts_;  // of the whole, by those of the model
  std::vector<int> part_in_model_;   // by part of the whole; -1 if absent
};

// Can the model be divided at all?
[[nodiscard]] bool has_only_loose_bodies(const dynamics::Model& model);

}  // namespace tenpin::methods::analytic
