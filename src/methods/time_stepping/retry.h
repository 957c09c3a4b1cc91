// Repeats a step that has no certified solution: in shorter steps, and finally by another method.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "contact/report.h"
#include "dynamics/state.h"
#include "methods/method.h"

namespace tenpin::methods::time_stepping {

// Advances *state by h seconds to t_end, or leaves it unchanged and gives the reason in *report.
// Returns the contacts of that step, which are valid until the next one.
using TakeStep = std::function<std::span<const contact::ContactRecord>(
    double h, double t_end, dynamics::State* state, StepReport* report)>;

struct RetryPlan {
  TakeStep step;
  // how often the step may be halved before the last resort is tried on the rest of it
  int max_halvings = 3;
  TakeStep last_resort;               // empty if there is none
  std::string last_resort_name;       // for the message, e.g. "order 1"
  std::function<void()> begin_parts;  // called before a step is divided; may be empty
};

// Reuses its buffers between calls: a step that succeeds at once costs nothing extra.
class RetryingStep {
 public:
  explicit RetryingStep(RetryPlan plan) : plan_(std::move(plan)) {}

  // Does what a TakeStep does. The report covers all shorter steps together: `retries` counts the
  // attempts that failed, and the message says why the first one did. If no attempt reaches t_end,
  // the state does not change; the report is that of the first attempt, with the message of the
  // last one added.
  void step(double h, double t_end, dynamics::State* state, StepReport* report);

  // The contacts of the last step; sorted by key if the step was divided.
  std::span<const contact::ContactRecord> contacts() const { return contacts_; }

 private:
  bool take(double h, double t_end, int halvings, dynamics::State* state, StepReport* total);
  bool take_again(double h, double t_end, int halvings, dynamics::State* state, StepReport* total);
  void append(const StepReport& part, std::span<const contact::ContactRecord> contacts,
              StepReport* total);
  void merge_contacts();

  RetryPlan plan_;
  std::span<const contact::ContactRecord> contacts_;
  std::vector<contact::ContactRecord> merged_;
  std::string last_failure_;  // message of the last attempt that failed
  int num_parts_ = 0;         // number of shorter steps in the last step
  int num_last_resort_ = 0;   // how many of them the last resort solved
};

}  // namespace tenpin::methods::time_stepping
