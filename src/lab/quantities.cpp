#include "lab/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/check.h"
#include "base/text.h"

namespace tenpin::lab {

namespace {

using record::Field;
using record::FieldType;
using record::RunReader;

constexpr std::int64_t kRowBlock = 4096;  // rows read at a time

struct BodyField {
  std::string_view name;
  std::string_view unit;
  std::array<std::string_view, 4> components;  // "" = none
};

// clang-format off
constexpr std::array kBodyFields = {
    BodyField{"position", "m", {"x", "y", "z"}},
    BodyField{"orientation", "-", {"w", "x", "y", "z"}},
    BodyField{"velocity", "m/s", {"x", "y", "z"}},
    BodyField{"angular_velocity", "rad/s", {"x", "y", "z"}},
};
// clang-format on
constexpr std::size_t kCoordinates = kBodyFields.size();  // followed by the rates

struct JointWidth {
  int q = 0;
  int v = 0;
};

JointWidth width_of(dynamics::JointType type) {
  switch (type) {
    case dynamics::JointType::kFree:
      return {7, 6};
    case dynamics::JointType::kPlanar:
      return {3, 3};
    case dynamics::JointType::kHinge:
    case dynamics::JointType::kSlider:
      return {1, 1};
    case dynamics::JointType::kBall:
      return {4, 3};
    case dynamics::JointType::kFixed:
    case dynamics::JointType::kPrescribed:
      return {0, 0};
  }
  return {};
}

std::vector<std::string> number_components(int count) {
  if (count == 1) return {""};
  std::vector<std::string> components;
  components.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) components.push_back(std::to_string(i));
  return components;
}

void list_fields(std::string_view table, RowsOf rows, std::span<const Field> fields,
                 std::vector<Quantity>* list) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Field& field = fields[i];
    const bool is_vector = field.type == FieldType::kVector;
    list->push_back({.name = fmt::format("{}.{}", table, field.name),
                     .unit = std::string(field.unit),
                     .rows = rows,
                     .field = i,
                     .components = is_vector ? std::vector<std::string>{"x", "y", "z"}
                                             : std::vector<std::string>{""},
                     .words = names_of(field.type),
                     .is_integer = !is_vector && field.type != FieldType::kReal});
  }
}

void list_body(const record::HeaderBody& body, int index, std::vector<Quantity>* list) {
  const auto add = [&](std::string_view name, std::string_view unit, std::size_t field,
                       std::vector<std::string> components) {
    list->push_back({.name = fmt::format("bodies.{}.{}", body.name, name),
                     .unit = std::string(unit),
                     .rows = RowsOf::kFrames,
                     .body = index,
                     .field = field,
                     .components = std::move(components)});
  };
  for (std::size_t i = 0; i < kBodyFields.size(); ++i) {
    std::vector<std::string> components;
    for (const std::string_view c : kBodyFields[i].components) {
      if (!c.empty()) components.emplace_back(c);
    }
    add(kBodyFields[i].name, kBodyFields[i].unit, i, std::move(components));
  }
  const JointWidth width = width_of(body.joint);
  if (width.q > 0) add("coordinates", "SI", kCoordinates, number_components(width.q));
  if (width.v > 0) add("rates", "SI", kCoordinates + 1, number_components(width.v));
}

template <typename T>
double get_number(const void* row, std::size_t offset) {
  T value;
  std::memcpy(&value, static_cast<const char*>(row) + offset, sizeof value);
  return static_cast<double>(value);
}

void append_field(const Field& field, const void* row, std::vector<double>* values) {
  switch (field.type) {
    case FieldType::kReal:
      return values->push_back(get_number<double>(row, field.offset));
    case FieldType::kVector:
      for (std::size_t i = 0; i < 3; ++i) {
        values->push_back(get_number<double>(row, field.offset + i * sizeof(double)));
      }
      return;
    case FieldType::kInt64:
      return values->push_back(get_number<std::int64_t>(row, field.offset));
    case FieldType::kInt32:
      return values->push_back(get_number<std::int32_t>(row, field.offset));
    case FieldType::kUint32:
      return values->push_back(get_number<std::uint32_t>(row, field.offset));
    default:
      return values->push_back(get_number<std::uint8_t>(row, field.offset));
  }
}

using Columns = std::vector<std::vector<double>>;

void append_fields(const void* row, RowsOf rows, std::span<const Field> fields,
                   std::span<const Quantity> quantities, Columns* columns) {
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    if (quantities[i].rows != rows) continue;
    append_field(fields[quantities[i].field], row, &(*columns)[i]);
  }
}

// One pass over a table for all quantities of its rows.
template <typename Read, typename Append>
void read_table(std::int64_t count, Read read, Append append) {
  for (std::int64_t first = 0; first < count; first += kRowBlock) {
    for (const auto& row : read(first, std::min(kRowBlock, count - first))) append(&row);
  }
}

void append_body(const record::RunFrame& frame, const record::HeaderBody& body,
                 const Quantity& quantity, std::vector<double>* values) {
  const record::BodyMotion& motion = frame.bodies[quantity.body];
  const auto append = [values](const auto& v) {
    for (int i = 0; i < v.size(); ++i) values->push_back(v[i]);
  };
  const auto count = static_cast<int>(quantity.components.size());
  switch (quantity.field) {
    case 0:
      return append(motion.position);
    case 1: {
      const Quat& q = motion.orientation;
      values->insert(values->end(), {q.w(), q.x(), q.y(), q.z()});
      return;
    }
    case 2:
      return append(motion.velocity);
    case 3:
      return append(motion.angular_velocity);
    case kCoordinates:
      return append(frame.q.segment(body.q_begin, count));
    default:
      return append(frame.v.segment(body.v_begin, count));
  }
}

bool is_named(const Quantity& quantity, std::string_view name) {
  return quantity.name == name ||
         (quantity.name.starts_with(name) && quantity.name[name.size()] == '.');
}

}  // namespace

void append_values(const Quantity& quantity, const record::StepRow& row,
                   std::vector<double>* values) {
  append_field(record::step_fields()[quantity.field], &row, values);
}

void append_values(const Quantity& quantity, const record::RunHeader& header,
                   const record::RunFrame& frame, std::vector<double>* values) {
  append_body(frame, header.bodies[quantity.body], quantity, values);
}

std::vector<Quantity> list_quantities(const RunReader& run) {
  return list_quantities(run.header());
}

std::vector<Quantity> list_quantities(const record::RunHeader& header) {
  std::vector<Quantity> list;
  list_fields("steps", RowsOf::kSteps, record::step_fields(), &list);
  for (int i = 0; i < header.num_bodies(); ++i) list_body(header.bodies[i], i, &list);
  list_fields("contacts", RowsOf::kContacts, record::contact_fields(), &list);
  return list;
}

std::vector<Quantity> find_quantities(const RunReader& run, std::span<const std::string> names) {
  const std::vector<Quantity> all = list_quantities(run);
  std::vector<bool> is_wanted(all.size(), false);
  for (const std::string& name : names) {
    bool is_known = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!is_named(all[i], name)) continue;
      is_wanted[i] = is_known = true;
    }
    if (is_known) continue;
    std::vector<std::string> known;
    known.reserve(all.size());
    for (const Quantity& quantity : all) known.push_back(quantity.name);
    const auto meant = nearest(name, std::span<const std::string>(known));
    throw InputError(fmt::format(
        "{}: no quantity '{}'{}", run.path(), name,
        meant ? "; did you mean '" + *meant + "'?" : "; 'tenpin export --list' lists them"));
  }
  std::vector<Quantity> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_wanted[i]) found.push_back(all[i]);
  }
  return found;
}

std::vector<std::vector<double>> read_quantities(const RunReader& run,
                                                 std::span<const Quantity> quantities) {
  Columns columns(quantities.size());
  const auto is_any = [&](RowsOf rows) {
    return std::any_of(quantities.begin(), quantities.end(), [rows](const Quantity& q) {
      return q.rows == rows;
    });
  };
  if (is_any(RowsOf::kSteps)) {
    read_table(
        run.num_steps(),
        [&](std::int64_t first, std::int64_t count) {
          return run.read_steps(first, count);
        },
        [&](const void* row) {
          append_fields(row, RowsOf::kSteps, record::step_fields(), quantities, &columns);
        });
  }
  if (is_any(RowsOf::kContacts)) {
    read_table(
        run.num_contacts(),
        [&](std::int64_t first, std::int64_t count) {
          return run.read_contacts(first, count);
        },
        [&](const void* row) {
          append_fields(row, RowsOf::kContacts, record::contact_fields(), quantities, &columns);
        });
  }
  const std::int64_t num_frames = is_any(RowsOf::kFrames) ? run.num_frames() : 0;
  for (std::int64_t k = 0; k < num_frames; ++k) {
    const record::RunFrame frame = run.read_frame(k);
    for (std::size_t i = 0; i < quantities.size(); ++i) {
      const Quantity& quantity = quantities[i];
      if (quantity.rows != RowsOf::kFrames) continue;
      append_body(frame, run.header().bodies[quantity.body], quantity, &columns[i]);
    }
  }
  return columns;
}

}  // namespace tenpin::lab
