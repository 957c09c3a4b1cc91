// The cost of a run of the method and the events in it.
#pragma once

namespace tenpin::methods::analytic {

struct Statistics {
  long steps = 0;            // of the integrator
  long rejected = 0;         // attempted steps
  long evaluations = 0;      // of the equations of motion by it
  long collisions = 0;       // instants
  long defiances = 0;        // instants without a finite force (Painlevé)
  long events = 0;           // that ended a step early
  long root_iterations = 0;  // in the search for their times
  long distances = 0;        // computed between separate bodies

  Statistics& operator+=(const Statistics& more) {
    steps += more.steps;
    rejected += more.rejected;
    evaluations += more.evaluations;
    collisions += more.collisions;
    defiances += more.defiances;
    events += more.events;
    root_iterations += more.root_iterations;
    distances += more.distances;
    return *this;
  }
};

}  // namespace tenpin::methods::analytic
