#include "scene/read_table.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/text.h"
#include "scene/characters.h"
#include "scene/contained_file.h"
#include "scene/number.h"
#include "scene/plain_message.h"
#include "scene/values.h"
#include "scene/words.h"

namespace tenpin::scene {

namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 26;  // of a CSV file; the same as for a scene

// The cells of a line, without surrounding blanks.
std::vector<std::string_view> split_line(std::string_view line) {
  std::vector<std::string_view> cells;
  const auto trim = [](std::string_view cell) {
    const std::size_t first = cell.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return std::string_view();
    return cell.substr(first, cell.find_last_not_of(" \t\r") - first + 1);
  };
  for (std::size_t begin = 0;;) {
    const std::size_t comma = line.find(',', begin);
    cells.push_back(trim(line.substr(begin, comma - begin)));
    if (comma == std::string_view::npos) return cells;
    begin = comma + 1;
  }
}

// Reads a number. Numbers may have the forms that other programs write: "+1", ".5", "1E3".
std::optional<double> parse_cell(std::string_view cell) {
  std::string text(cell);
  if (text.starts_with('+')) text.erase(0, 1);
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  if (text.size() > sign && text[sign] == '.') text.insert(sign, "0");
  const std::size_t dot = text.find('.');
  if (dot != std::string::npos && (dot + 1 == text.size() || text[dot + 1] == 'e')) {
    text.insert(dot + 1, "0");
  }
  return parse_json_number(text);
}

Node make_scalar(std::string_view text, const Place& place) {
  return {.kind = Node::Kind::kScalar, .place = place, .text = std::string(text)};
}

// One CSV file and the columns that are requested.
class CsvTable {
 public:
  CsvTable(std::string file, std::vector<std::size_t> columns, const Place& place)
      : file_(std::move(file)), columns_(std::move(columns)), place_(place) {}

  // Throws InputError with the line of the file.
  Node read(const std::string& text) {
    Node points = {.kind = Node::Kind::kList, .place = place_};
    std::size_t line_number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::string_view line = std::string_view(text).substr(begin, end - begin);
      begin = end + 1;
      ++line_number;
      const std::vector<std::string_view> cells = split_line(line);
      const bool is_empty = cells.size() == 1 && (cells[0].empty() || cells[0].starts_with('#'));
      const bool is_heading = points.items.empty() && !is_heading_read_ && !parse_cell(cells[0]);
      if (is_heading && !is_empty) is_heading_read_ = true;
      if (!is_empty && !is_heading) points.items.push_back(read_row(cells, line_number));
    }
    return points;
  }

 private:
  Node read_row(const std::vector<std::string_view>& cells, std::size_t line) const {
    Node row = {.kind = Node::Kind::kList, .place = place_};
    for (const std::size_t column : columns_) {
      const std::string here = file_ + ":" + std::to_string(line);
      TENPIN_REQUIRE(column < cells.size(), here + ": too few columns, got " +
                                                std::to_string(cells.size()) + ", want column " +
                                                std::to_string(column));
      const std::optional<double> number = parse_cell(cells[column]);
      TENPIN_REQUIRE(number.has_value(), here + ": column " + std::to_string(column) + ", got " +
                                             excerpt(std::string(cells[column])) +
                                             ", want a number");
      row.items.push_back(make_scalar(to_text(*number), place_));
    }
    return row;
  }

  std::string file_;
  std::vector<std::size_t> columns_;
  Place place_;
  bool is_heading_read_ = false;
};

// The columns that a table requests; nothing if they are not whole numbers, which the check of the
// format reports.
std::vector<std::size_t> find_columns(const Node& table, std::size_t width) {
  const Node* columns = table.find("columns");
  std::vector<std::size_t> result;
  for (std::size_t k = 0; k < width; ++k) result.push_back(k);
  if (columns == nullptr || !columns->is_list()) return result;
  result.clear();
  for (const Node& item : columns->items) {
    const auto number = item.is_scalar() ? parse_json_integer(item.text) : std::nullopt;
    if (!number || *number < 0) return {};
    result.push_back(static_cast<std::size_t>(*number));
  }
  return result;
}

// The number of components of a key: keys of vectors have other names than keys of numbers.
std::size_t find_width(std::string_view key, std::string_view of) {
  const bool is_motion = of == "motion";
  const bool is_force = of == "forces";
  const bool is_vector = (is_motion && (key == "velocity" || key == "position")) ||
                         (is_force && (key == "force" || key == "torque"));
  return is_vector ? 4 : 2;
}

// Loads a table at `key` of `node`, which is within the value of key `of`.
void load_table(const std::string& folder, std::size_t width, const std::string& path, Node* table,
                ProblemList* problems) {
  Node* csv = table->find("csv");
  if (csv == nullptr || !csv->is_scalar() || table->find("points") != nullptr) return;
  const std::vector<std::size_t> columns = find_columns(*table, width);
  if (columns.empty()) return;
  try {
    const std::string resolved = resolve_contained(folder, csv->text);
    Node points =
        CsvTable(csv->text, columns, csv->place).read(read_regular_file(resolved, kMostBytes));
    for (std::size_t k = 0; k < table->keys.size(); ++k) {
      if (table->keys[k].text == "csv") table->keys[k].text = "points";
    }
    *table->find("points") = std::move(points);
  } catch (const InputError& error) {
    problems->add(csv->place, path + ".csv", plain_message(error));
  }
}

void load_within(const std::string& folder, std::string_view of, const std::string& path,
                 Node* node, ProblemList* problems) {
  for (std::size_t k = 0; k < node->items.size(); ++k) {
    const std::string key = node->is_map() ? node->keys[k].text : "";
    std::string here = path;
    here += node->is_map() ? "." + key : "[" + std::to_string(k) + "]";
    Node& item = node->items[k];
    if (item.is_map() && item.find("csv") != nullptr) {
      load_table(folder, find_width(key, of), here, &item, problems);
    } else if (!item.is_scalar()) {
      load_within(folder, node->is_map() ? std::string_view(key) : of, here, &item, problems);
    }
  }
}

// Reads rows that have passed the check.
TimeTable read_points(const Node& node, const std::string& path, ProblemList* problems) {
  TimeTable table;
  take(node, "interpolation", kTableWords, &table.interpolation);
  const Node* points = node.find("points");
  if (points == nullptr) return table;  // the CSV file has a problem that has been reported
  if (points->items.empty()) {
    problems->add(points->place, path + ".points", "no points, got none, want at least one");
    return table;
  }
  table.columns = static_cast<int>(points->items[0].items.size()) - 1;
  for (std::size_t i = 0; i < points->items.size(); ++i) {
    const Node& row = points->items[i];
    const double t = to_number(row.items[0]);
    if (i > 0 && !(t > table.times.back())) {
      problems->add(row.place, path + ".points[" + std::to_string(i) + "]",
                    "times must rise, got " + to_text(t) + " after " + to_text(table.times.back()) +
                        ", want a later time");
      break;
    }
    table.times.push_back(t);
    for (std::size_t k = 1; k < row.items.size(); ++k) {
      table.values.push_back(to_number(row.items[k]));
    }
  }
  return table;
}

template <typename Value>
void take_either(const Node& map, std::string_view key, const std::string& path, Value* value,
                 TimeTable* table, ProblemList* problems) {
  const Node* node = map.find(key);
  if (node == nullptr) return;
  if (node->is_map()) {
    *table = read_points(*node, path + "." + std::string(key), problems);
  } else {
    take(map, key, value);
  }
}

}  // namespace

void load_tables(const std::string& folder, Node* node, ProblemList* problems) {
  for (std::size_t k = 0; k < node->items.size() && node->is_map(); ++k) {
    if (node->items[k].is_scalar()) continue;
    load_within(folder, node->keys[k].text, node->keys[k].text, &node->items[k], problems);
  }
}

void take_or_table(const Node& map, std::string_view key, const std::string& path, double* value,
                   TimeTable* table, ProblemList* problems) {
  take_either(map, key, path, value, table, problems);
}

void take_or_table(const Node& map, std::string_view key, const std::string& path, Vec3* value,
                   TimeTable* table, ProblemList* problems) {
  take_either(map, key, path, value, table, problems);
}

void take_positions(const Node& map, std::string_view key, const std::string& path,
                    TimeTable* table, ProblemList* problems) {
  const Node* node = map.find(key);
  if (node == nullptr) return;
  *table = read_points(*node, path + "." + std::string(key), problems);
  if (table->interpolation == dynamics::Interpolation::kStep) {
    problems->add(node->find("interpolation")->place,
                  path + "." + std::string(key) + ".interpolation",
                  "a position cannot jump, got step, want linear or cubic");
  }
}

void take_span(const Node& map, const std::string& path, Span* span, ProblemList* problems) {
  const Node* node = map.find("during");
  if (node == nullptr) return;
  span->begin = to_number(node->items[0]);
  span->end = to_number(node->items[1]);
  if (!(span->begin < span->end)) {
    problems->add(node->place, path + ".during",
                  "empty, got " + to_text(span->begin) + " to " + to_text(span->end) +
                      ", want the earlier time first");
  }
}

}  // namespace tenpin::scene
