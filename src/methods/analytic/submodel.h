// Some loose bodies of a model by themselves, with all that no force moves: what cannot meet the
// others for a while is followed without them.
#pragma once

#include <vector>

#include "contact/report.h"
#include "dynamics/model.h"
#include "dynamics/state.h"
#include "methods/analytic/memory.h"

namespace tenpin::methods::analytic {

class Submodel {
 public:
  // Of a model whose mechanisms are all loose: those of the list.
  Submodel(const dynamics::Model& whole, const std::vector<int>& mechanisms);

  const dynamics::Model& model() const { return model_; }
  int body(int i) const { return bodies_[i]; }  // of the whole

  // Their part of a state, and back.
  void take(const VecX& q, const VecX& v, dynamics::State* state) const;
  void put(const dynamics::State& state, VecX* q, VecX* v) const;
  [[nodiscard]] Memory take(const Memory& memory) const;
  void put(const Memory& memory, Memory* whole) const;
  // As the whole knows it.
  [[nodiscard]] contact::ContactRecord rename(contact::ContactRecord record) const;

 private:
  [[nodiscard]] contact::ContactKey rename(const contact::ContactKey& key) const;

  dynamics::Model model_;
  const dynamics::Model* whole_;
  std::vector<int> bodies_, parts_;  // of the whole, by those of the model
  std::vector<int> part_in_model_;   // by part of the whole; -1: it is not there
};

// Whether it can be divided at all.
[[nodiscard]] bool has_only_loose_bodies(const dynamics::Model& model);

}  // namespace tenpin::methods::analytic
