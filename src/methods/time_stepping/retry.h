// Repeats a step without a certified solution: in shorter steps, and finally in another way.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "contact/report.h"
#include "dynamics/state.h"
#include "methods/method.h"

namespace tenpin::methods::time_stepping {

// Takes *state to t_end, h seconds later, or leaves it unchanged and says in *report why. Returns
// the contacts of that step, which are valid until the next one.
using TakeStep = std::function<std::span<const contact::ContactRecord>(
    double h, double t_end, dynamics::State* state, StepReport* report)>;

struct RetryPlan {
  TakeStep step;
  int max_halvings = 3;               // of the step, before other ways are tried on the rest of it
  TakeStep last_resort;               // empty if there is none
  std::string last_resort_name;       // for the message, e.g. "order 1"
  std::function<void()> begin_parts;  // is told when a step is about to be divided; may be empty
};

// Keeps its buffers: a step that succeeds at once costs nothing extra.
class RetryingStep {
 public:
  explicit RetryingStep(RetryPlan plan) : plan_(std::move(plan)) {}

  // As a TakeStep does. The report is that of all shorter steps together: it counts the attempts
  // that failed in `retries`, and says in its message why the first one did. If no way leads to
  // t_end the state stays, and the report is that of the first attempt, with what the last one
  // said.
  void step(double h, double t_end, dynamics::State* state, StepReport* report);

  // Of the last step; sorted by key if it was taken in several.
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
  int num_parts_ = 0;         // shorter steps that the last step was taken in
  int num_last_resort_ = 0;   // of those, the ones by the last resort
};

}  // namespace tenpin::methods::time_stepping
