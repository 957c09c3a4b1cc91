// Quantities of a run as files: comma-separated values and HDF5 arrays.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/check.h"
#include "base/text.h"
#include "lab/quantities.h"
#include "record/array_file.h"
#include "record/csv.h"

namespace tenpin::lab {

namespace {

using record::RunReader;

std::string_view group_of(RowsOf rows) {
  switch (rows) {
    case RowsOf::kSteps:
      return "steps";
    case RowsOf::kFrames:
      return "frames";
    case RowsOf::kContacts:
      return "contacts";
  }
  return "";
}

std::vector<double> read_one(const RunReader& run, const std::string& name) {
  return read_quantities(run, find_quantities(run, std::span(&name, 1))).front();
}

// s   The end of the step of each contact.
std::vector<double> read_contact_times(const RunReader& run) {
  const std::vector<double> numbers = read_one(run, "steps.step");
  const std::vector<double> ends = read_one(run, "steps.t");
  std::vector<double> times;
  for (const double step : read_one(run, "contacts.step")) {
    const auto at = std::lower_bound(numbers.begin(), numbers.end(), step) - numbers.begin();
    times.push_back(at < std::ssize(ends) ? ends[at] : NAN);
  }
  return times;
}

std::vector<double> read_times(const RunReader& run, RowsOf rows) {
  switch (rows) {
    case RowsOf::kSteps:
      return read_one(run, "steps.t");
    case RowsOf::kFrames:
      return run.read_frame_times();
    case RowsOf::kContacts:
      return read_contact_times(run);
  }
  return {};
}

std::string print_value(const Quantity& quantity, double value) {
  if (quantity.words.empty()) return to_text(value);
  return std::string(quantity.words[static_cast<std::size_t>(value)]);
}

// The path of a quantity in the file. Slashes and single dots have special meanings in HDF5.
std::string path_of(const Quantity& quantity, const record::RunHeader& header) {
  if (quantity.body < 0) {
    std::string path = quantity.name;
    std::replace(path.begin(), path.end(), '.', '/');
    return path;
  }
  std::string name = header.bodies[quantity.body].name;
  std::replace(name.begin(), name.end(), '/', '_');
  if (name == ".") name = "_";
  return fmt::format("bodies/{}/{}", name, quantity.name.substr(quantity.name.rfind('.') + 1));
}

void write_array(const std::string& path, const Quantity& quantity,
                 const std::vector<double>& values, record::ArrayFile* file) {
  const std::uint64_t width = quantity.components.size();
  record::ArrayFile::Shape shape = {values.size() / width};
  if (width > 1) shape.push_back(width);
  if (quantity.is_integer) {
    std::vector<std::int64_t> integers;
    integers.reserve(values.size());
    for (const double value : values) integers.push_back(static_cast<std::int64_t>(value));
    file->write(path, std::span<const std::int64_t>(integers), shape);
  } else {
    file->write(path, std::span<const double>(values), shape);
  }
  file->set_attribute(path, "unit", quantity.unit);
  if (quantity.words.empty()) return;
  file->set_attribute(path, "names", fmt::format("{}", fmt::join(quantity.words, " ")));
}

}  // namespace

std::string make_quantity_csv(const RunReader& run, std::span<const Quantity> quantities) {
  TENPIN_REQUIRE(!quantities.empty(), "no quantity to write");
  const RowsOf rows = quantities.front().rows;
  std::string text = "t";
  for (const Quantity& quantity : quantities) {
    TENPIN_REQUIRE(quantity.rows == rows,
                   fmt::format("{} is of {}, {} of {}: one table cannot hold both, want one kind",
                               quantities.front().name, group_of(rows), quantity.name,
                               group_of(quantity.rows)));
    for (const std::string& component : quantity.components) {
      const std::string name = component.empty() ? quantity.name : quantity.name + "." + component;
      text += "," + record::csv_cell(name);
    }
  }
  const std::vector<std::vector<double>> columns = read_quantities(run, quantities);
  const std::vector<double> times = read_times(run, rows);
  for (std::size_t i = 0; i < times.size(); ++i) {
    text += "\r\n" + to_text(times[i]);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const std::size_t width = quantities[k].components.size();
      for (std::size_t c = 0; c < width; ++c) {
        text += "," + print_value(quantities[k], columns[k][i * width + c]);
      }
    }
  }
  return text + "\r\n";
}

void write_quantity_arrays(const RunReader& run, std::span<const Quantity> quantities,
                           const std::string& path) {
  record::ArrayFile file(path);
  std::set<RowsOf> kinds;
  const std::vector<std::vector<double>> columns = read_quantities(run, quantities);
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    const Quantity& quantity = quantities[i];
    kinds.insert(quantity.rows);
    if (quantity.name == "steps.t") continue;
    write_array(path_of(quantity, run.header()), quantity, columns[i], &file);
  }
  for (const RowsOf rows : kinds) {
    const std::string name = fmt::format("{}/t", group_of(rows));
    const std::vector<double> times = read_times(run, rows);
    file.write(name, std::span<const double>(times));
    file.set_attribute(name, "unit", "s");
  }
  file.finish();
}

}  // namespace tenpin::lab
