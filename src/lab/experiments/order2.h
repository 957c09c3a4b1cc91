// Experiments on the order of time stepping: one scene with many step sizes, under order 1 and
// order 2.
#pragma once

#include "lab/experiment.h"

namespace tenpin::lab::experiments {

// Runs scene.yaml of the experiment's folder with both orders and a list of step sizes, and judges
// them by its expected.json. The error of a run is the distance of the final position of the
// studied body (or the root mean square over all bodies) from that in the limit of small steps. The
// limit is computed with order 2 and a much finer step or, where impacts decide, by the
// event-driven method. Measures, with o the order and n the steps per second:
//   order/o                   -     slope of the error against the step, by least squares
//   error/o/n                 m     (and rad for a planar body)
//   better                    -     1 if order 2 has the smaller error at every step
//   q0, q1, q2 /o/n                 first three coordinates of the (first) body at the end
//   energy/o/n                J     largest change of energy from the start
//   rebound/o/n/k             J     energy after the k-th step with an impact
//   gain, closure             -     most energy that a step of order 2 added, and error of
//                                   the ledger, both relative to the largest energy, worst
//                                   of all steps
//   residual, penetration     -, m  worst of all runs with order 2
//   speed/o/n                 m/s   largest velocity at the end
//   drift/o/n                 m     largest change of a coordinate from the start to the end
//   finished                  -     1 if all runs reached their ends
//   solves/o/n                -     per step
//   impacts, late, guarded /o/n     counts
[[nodiscard]] ExperimentResult run_order2(const ExperimentOptions& options);

}  // namespace tenpin::lab::experiments
