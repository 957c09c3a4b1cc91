// Converts errors of the scene reader to those of the public headers.
#pragma once

#include "simulation/public.h"
// The line above must come first.
#include <vector>

#include "scene/problem.h"

namespace tenpin::simulation {

// Calls read(), and converts a scene::SceneError to a tenpin::SceneError.
template <class Read>
auto with_public_errors(const Read& read) {
  try {
    return read();
  } catch (const scene::SceneError& error) {
    std::vector<Problem> problems;
    for (const scene::Problem& p : error.problems()) {
      problems.push_back(
          {.file = p.file, .line = p.line, .column = p.column, .path = p.path, .text = p.text});
    }
    throw SceneError(error.what(), std::move(problems));
  }
}

}  // namespace tenpin::simulation
