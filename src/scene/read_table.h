// Tables over time: in the scene file, or in CSV files beside it.
#pragma once

#include <string>
#include <string_view>

#include "math/types.h"
#include "scene/node.h"
#include "scene/problem_list.h"
#include "scene/scene.h"

namespace tenpin::scene {

// Replaces each `csv` of a table in the tree by `points` with the numbers of that file, which must
// be in or below `folder`.
void load_tables(const std::string& folder, Node* node, ProblemList* problems);

// For a value that may be a table: changes either `value` or `table`, or neither if there is no
// such key.
void take_or_table(const Node& map, std::string_view key, const std::string& path, double* value,
                   TimeTable* table, ProblemList* problems);
void take_or_table(const Node& map, std::string_view key, const std::string& path, Vec3* value,
                   TimeTable* table, ProblemList* problems);

// The same for positions, whose table must not jump.
void take_positions(const Node& map, std::string_view key, const std::string& path,
                    TimeTable* table, ProblemList* problems);

// Reads `during` if it is present.
void take_span(const Node& map, const std::string& path, Span* span, ProblemList* problems);

}  // namespace tenpin::scene
