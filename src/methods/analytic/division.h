// Among many bodies, those with an event soon are followed separately, together with all bodies
// that they might meet. The others need not stop for them.
#pragma once

#include <optional>
#include <vector>

#include "contact/report.h"
#include "methods/analytic/contact_search.h"
#include "methods/analytic/memory.h"
#include "methods/analytic/statistics.h"
#include "methods/analytic/step_values.h"
#include "methods/method.h"
#include "scene/options.h"

namespace tenpin::methods::analytic {

// Results of the groups, together.
struct Division {
  double t_end = 0.0;  // s
  VecX q, v;
  Memory memory;
  StepReport report;
  std::vector<contact::ContactRecord> records;
  Statistics statistics;
};

// What is to be divided.
struct Undivided {
  const dynamics::Model& model;
  const scene::AnalyticOptions& options;
  const StepStart& start;
  const std::vector<contact::Contact>& found;
  const Memory& memory;
};

struct DivisionTime {
  double longest = 0.0;   // s   tried first
  double shortest = 0.0;  // s   not worthwhile below
};

// Follows groups of bodies separately for a time in which most bodies have no event; `ends` is by
// mechanism, the time (s) after the start at which it has one. None if that does not pay, if a
// group fails, or if a body moves farther than estimated.
[[nodiscard]] std::optional<Division> divide(const Undivided& whole, const DivisionTime& time,
                                             const std::vector<double>& ends,
                                             ContactSearch* search);

// Can the model be divided, and is it worthwhile?
[[nodiscard]] bool may_divide(const dynamics::Model& model);

}  // namespace tenpin::methods::analytic
