#include "lab/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>

#include "base/check.h"
#include "lab/compare_motion.h"
#include "lab/compare_reason.h"

namespace tenpin::lab {

namespace {

using methods::AdvanceStatus;

// The window after a divergence in which its reason is searched: in frames, and as a fraction of
// the time until the divergence.
constexpr double kFramesAfter = 5.0;
constexpr double kShareAfter = 0.1;

void refuse(const std::string& message, CompareOutcome* outcome) {
  outcome->refused = true;
  outcome->message = message;
}

CompareOutcome run_contender(const Contender& contender, int number,
                             const CompareOptions& options) {
  CompareOutcome outcome{.label = contender.label};
  const std::string file = fmt::format("{}/{}.h5", options.folder, number + 1);
  SimulationOptions simulation{.threads = options.threads, .run_file = file};
  if (options.on_progress) {
    simulation.on_progress = [&](const Progress& progress) {
      return options.on_progress(contender.label, progress);
    };
  }
  try {
    outcome.summary = simulate(contender.scene, simulation);
    outcome.run_file = file;
    outcome.message = outcome.summary.message;
  } catch (const InputError& error) {
    refuse(error.what(), &outcome);
  } catch (const LimitError& error) {
    refuse(error.what(), &outcome);
  } catch (const NumericalError& error) {
    refuse(error.what(), &outcome);
  }
  return outcome;
}

double calc_default_tolerance(const record::RunHeader& header, const std::vector<double>& radii) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const bool moves = header.bodies[i].joint != dynamics::JointType::kFixed;
    if (moves && radii[i] > 0.0) least = std::min(least, radii[i]);
  }
  return least < std::numeric_limits<double>::infinity() ? kPartingShare * least : 1e-3;
}

// Describes the contacts of one body in the last step before a frame, for example "sliding on
// table, sticking on box".
std::string describe_contacts(const record::RunReader& run, const record::RunFrame& frame,
                              int body) {
  std::map<std::string, int> count;
  for (const record::ContactRow& c : run.read_contacts(frame.first_contact, frame.num_contacts)) {
    if ((c.body_a != body && c.body_b != body) || c.normal_impulse <= 0.0) continue;
    const int other = c.body_a == body ? c.body_b : c.body_a;
    const auto mode = to_string(static_cast<contact::Mode>(c.mode));
    ++count[fmt::format("{} on {}", mode, run.header().bodies[other].name)];
  }
  if (count.empty()) return "free";
  std::string text;
  for (const auto& [what, times] : count) text += (text.empty() ? "" : ", ") + what;
  return text;
}

// Reads two runs in parallel.
class Companion {
 public:
  Companion(const record::RunReader& reference, const record::RunReader& other, double tolerance)
      : reference_(reference),
        other_(other),
        tolerance_(tolerance),
        radii_(calc_body_radii(reference.header())) {}

  Difference walk() {
    MotionSampler a(reference_);
    MotionSampler b(other_);
    const std::vector<double> times = reference_.read_frame_times();
    for (const double t : times) {
      if (t > b.end_time() * (1.0 + 1e-9) + 1e-12) break;
      const BodyDistance farthest = find_farthest(a.sample(t), b.sample(t), radii_);
      difference_.t.push_back(t);
      difference_.distance.push_back(farthest.distance);
      difference_.end_distance = farthest.distance;
      if (farthest.body >= 0) difference_.end_body = name_of(farthest.body);
      const bool parts = farthest.distance > tolerance_ && !difference_.parting;
      if (parts) difference_.parting = make_parting(t, farthest, a.frame(), b.frame());
    }
    return std::move(difference_);
  }

 private:
  const std::string& name_of(int body) const { return reference_.header().bodies[body].name; }

  Parting make_parting(double t, const BodyDistance& farthest, const record::RunFrame& a,
                       const record::RunFrame& b) const {
    const std::string in_reference = describe_contacts(reference_, a, farthest.body);
    const std::string in_other = describe_contacts(other_, b, farthest.body);
    return {.body = farthest.body,
            .body_name = name_of(farthest.body),
            .t = t,
            .distance = farthest.distance,
            .situation = in_reference == in_other
                             ? in_reference + " in both"
                             : fmt::format("{} against {}", in_other, in_reference),
            .reasons = {}};
  }

  const record::RunReader& reference_;
  const record::RunReader& other_;
  double tolerance_;
  std::vector<double> radii_;
  Difference difference_;
};

void explain(const Contender& reference, const Contender& other, const record::RunReader& a,
             const record::RunReader& b, const CompareOptions& options, Difference* difference) {
  Parting& parting = *difference->parting;
  parting.reasons = list_known_differences(a.header(), b.header());
  if (!options.refine) return;
  const double after = std::max(kFramesAfter * a.header().every, kShareAfter * parting.t);
  RefineOptions refine{.folder = options.folder,
                       .t_end = std::min(parting.t + after, difference->t.back()),
                       .threads = options.threads};
  refine.largest = calc_largest_distance(a, b, refine.t_end);
  const std::string found = refine_parting(reference, other, refine);
  if (!found.empty()) parting.reasons.push_back(found);
}

}  // namespace

Comparison compare(std::span<const Contender> contenders, const CompareOptions& options) {
  TENPIN_REQUIRE(!contenders.empty(), "nothing to compare");
  Comparison result{.tolerance = options.tolerance};
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    result.outcomes.push_back(run_contender(contenders[i], static_cast<int>(i), options));
    const CompareOutcome& outcome = result.outcomes.back();
    if (!outcome.refused && result.reference < 0) result.reference = static_cast<int>(i);
    if (outcome.summary.status == AdvanceStatus::kStopped) return result;
  }
  result.differences.resize(contenders.size());
  if (result.reference < 0) return result;
  const record::RunReader reference(result.outcomes[result.reference].run_file);
  if (result.tolerance <= 0.0) {
    const record::RunHeader& header = reference.header();
    result.tolerance = calc_default_tolerance(header, calc_body_radii(header));
  }
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    if (result.outcomes[i].refused) continue;
    const record::RunReader run(result.outcomes[i].run_file);
    result.outcomes[i].settings = run.header().method_options;
    Difference& difference = result.differences[i];
    difference = Companion(reference, run, result.tolerance).walk();
    if (!difference.parting) continue;
    explain(contenders[result.reference], contenders[i], reference, run, options, &difference);
  }
  return result;
}

}  // namespace tenpin::lab
