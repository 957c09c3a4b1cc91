// Many bodies from one entry.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scene/node.h"
#include "scene/problem_list.h"
#include "scene/scene.h"

namespace tenpin::scene {

// The number of bodies that the checked `repeat` makes; `most` + 1 stands for any larger number.
[[nodiscard]] std::int64_t count_copies(const Node& repeat, std::int64_t most);

struct Randomness {
  std::uint64_t seed = 0;    // seed of the scene
  std::uint64_t stream = 0;  // the entry's number in `bodies`
};

// Appends the copies of `body`, named name-1, name-2, ...; in a chain each copy is attached to the
// previous one.
void append_copies(const Body& body, const Node& repeat, const std::string& path,
                   const Randomness& randomness, std::vector<Body>* bodies, ProblemList* problems);

}  // namespace tenpin::scene
