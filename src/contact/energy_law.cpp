#include "contact/energy_law.h"

#include <limits>

namespace tenpin::contact {

double calc_excess_work(std::span<const WorkSample> samples, std::span<const int> island,
                        double speed, double tolerance) {
  double work = 0.0;
  double impulse = 0.0;  // N s
  for (const int i : island) {
    const WorkSample& x = samples[i];
    const double size = x.impulse.head<3>().norm();
    work += calc_contact_work(x) - 0.5 * size * x.slack;
    impulse += size;
  }
  if (work <= tolerance * impulse * speed) return 0.0;
  // NaN also counts as a violation.
  return work > 0.0 ? work : std::numeric_limits<double>::infinity();
}

}  // namespace tenpin::contact
