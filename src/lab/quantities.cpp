#include "lab/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "base/check.h"
#include "base/text.h"
#include "methods/event_watch.h"
#include "scene/build.h"
#include "scene/read.h"

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
// clang-format off
constexpr std::array kReactionQuantities = {"force", "torque", "impulse", "moment", "drive", "stop"};
// clang-format on

constexpr std::size_t kCoordinates = kBodyFields.size();  // and the rates behind them

// Quantities of pairs.
struct PairField {
  std::string_view name;
  std::string_view unit;
  bool is_vector;
};
constexpr std::array kPairFields = {PairField{"force", "N", true},
                                    PairField{"impulse", "N s", true},
                                    PairField{"distance", "m", false}};
constexpr std::size_t kPairForce = 0;
constexpr std::size_t kPairDistance = 2;

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

Quantity make_field(std::string_view table, RowsOf rows, const Field& field, std::size_t index) {
  const bool is_vector = field.type == FieldType::kVector;
  return {.name = fmt::format("{}.{}", table, field.name),
          .unit = std::string(field.unit),
          .rows = rows,
          .field = index,
          .components =
              is_vector ? std::vector<std::string>{"x", "y", "z"} : std::vector<std::string>{""},
          .words = names_of(field.type),
          .is_integer = !is_vector && field.type != FieldType::kReal};
}

void list_fields(std::string_view table, RowsOf rows, std::span<const Field> fields,
                 std::vector<Quantity>* list) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    list->push_back(make_field(table, rows, fields[i], i));
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

// Lists the coordinates of a body under the name of its joint.
void list_joint(const record::HeaderBody& body, int index, std::vector<Quantity>* list) {
  const JointWidth width = width_of(body.joint);
  if (width.q == 0 || body.joint == dynamics::JointType::kFree) return;
  const auto add = [&](std::string_view name, std::size_t field, int count) {
    list->push_back({.name = fmt::format("joints.{}.{}", body.name, name),
                     .unit = "SI",
                     .rows = RowsOf::kFrames,
                     .body = index,
                     .field = field,
                     .components = number_components(count)});
  };
  add("position", kCoordinates, width.q);
  add("velocity", kCoordinates + 1, width.v);
}

// Finds pairs.<a>+<b>.<field>; returns nothing if there are no such bodies. Names may contain dots
// and plus signs.
std::optional<Quantity> find_pair(const record::RunHeader& header, std::string_view name) {
  constexpr std::string_view kTable = "pairs.";
  if (!name.starts_with(kTable)) return std::nullopt;
  const std::string_view rest = name.substr(kTable.size());
  for (int a = 0; a < header.num_bodies(); ++a) {
    if (!rest.starts_with(header.bodies[a].name + "+")) continue;
    const std::string_view tail = rest.substr(header.bodies[a].name.size() + 1);
    for (int b = 0; b < header.num_bodies(); ++b) {
      const std::string& other = header.bodies[b].name;
      const auto* field = std::find_if(kPairFields.begin(), kPairFields.end(), [&](const auto& f) {
        return tail == fmt::format("{}.{}", other, f.name);
      });
      if (field == kPairFields.end()) continue;
      return Quantity{.name = std::string(name),
                      .unit = std::string(field->unit),
                      .rows = RowsOf::kFrames,
                      .body = a,
                      .pair = b,
                      .field = static_cast<std::size_t>(field - kPairFields.begin()),
                      .components = field->is_vector ? std::vector<std::string>{"x", "y", "z"}
                                                     : std::vector<std::string>{""}};
    }
  }
  return std::nullopt;
}

// Finds one column of a quantity.
std::optional<Quantity> find_picked(const RunReader& run, std::span<const Quantity> all,
                                    const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  const std::string component = name.substr(dot + 1);
  std::optional<Quantity> whole = find_pair(run.header(), name.substr(0, dot));
  for (const Quantity& quantity : all) {
    if (quantity.name == name.substr(0, dot)) whole = quantity;
  }
  if (!whole) return std::nullopt;
  for (std::size_t k = 0; k < whole->components.size(); ++k) {
    if (whole->components[k] != component) continue;
    whole->picked_from = whole->components;
    whole->pick = k;
    whole->name = name;
    whole->components = {""};
    return whole;
  }
  return std::nullopt;
}

// Reads the quantities of pairs. Distances need the shapes, which are read again from the scene in
// the run file.
class PairReader {
 public:
  explicit PairReader(const RunReader& run) : run_(&run) {}

  void append(const record::RunFrame& frame, const Quantity& quantity,
              std::vector<double>* values) {
    if (quantity.field != kPairDistance) return append_sum(frame, quantity, values);
    if (!watch_) {
      TENPIN_REQUIRE(!run_->header().scene_resolved.empty(),
                     run_->path() + ": does not contain its scene, want a run with one");
      built_ = scene::build(
          scene::parse_scene(run_->header().scene_resolved, run_->header().scene_file));
      watch_.emplace(built_.model);
    }
    state_.t = frame.t;
    state_.q = frame.q;
    state_.v = frame.v;
    watch_->look_at(state_);
    values->push_back(watch_->calc_measure({.kind = dynamics::Measure::Kind::kDistance,
                                            .body_a = quantity.body,
                                            .body_b = quantity.pair}));
  }

 private:
  // Of all contacts of the pair, on its second body.
  void append_sum(const record::RunFrame& frame, const Quantity& quantity,
                  std::vector<double>* values) const {
    Vec3 sum = Vec3::Zero();
    for (const record::ContactRow& row :
         run_->read_contacts(frame.first_contact, frame.num_contacts)) {
      const double sign = row.body_a == quantity.body && row.body_b == quantity.pair   ? 1.0
                          : row.body_a == quantity.pair && row.body_b == quantity.body ? -1.0
                                                                                       : 0.0;
      const double* part = (quantity.field == kPairForce ? row.force : row.impulse).data();
      if (sign != 0.0 && row.part_a >= 0) sum += sign * Vec3(part);
    }
    values->insert(values->end(), sum.begin(), sum.end());
  }

  const RunReader* run_;
  scene::Built built_;
  dynamics::State state_;
  std::optional<methods::EventWatch> watch_;  // of the built model
};

// Lists the reactions. Every frame has the same reactions in the same order, so the first frame
// that has any determines them.
void list_reactions(const RunReader& run, std::vector<Quantity>* list) {
  if (run.num_reactions() == 0) return;
  std::vector<record::ReactionRow> rows;
  for (std::int64_t k = 0; k < run.num_frames() && rows.empty(); ++k) {
    const record::RunFrame frame = run.read_frame(k);
    rows = run.read_reactions(frame.first_reaction, frame.num_reactions);
  }
  const std::span<const Field> fields = record::reaction_fields();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const bool is_loop = rows[r].kind == record::ReactionRow::kLoop;
    const std::string name = is_loop ? "loops." + run.header().loops[rows[r].index]
                                     : "joints." + run.header().bodies[rows[r].index].name;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const bool is_vector = fields[i].type == FieldType::kVector;
      const auto is_wanted = std::find(kReactionQuantities.begin(), kReactionQuantities.end(),
                                       fields[i].name) != kReactionQuantities.end();
      if (!is_wanted || (is_loop && !is_vector)) continue;
      list->push_back({.name = fmt::format("{}.{}", name, fields[i].name),
                       .unit = std::string(fields[i].unit),
                       .rows = RowsOf::kFrames,
                       .reaction = static_cast<int>(r),
                       .field = i,
                       .components = is_vector ? std::vector<std::string>{"x", "y", "z"}
                                               : std::vector<std::string>{""}});
      if (fields[i].name != std::string_view("drive")) continue;
      list->push_back(list->back());
      list->back().name = name + ".effort";
    }
  }
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

// Reads a table once for all quantities of its rows.
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

// Finds the component with this name among the quantities.
std::optional<QuantityComponent> pick_component(std::span<const Quantity> quantities,
                                                std::string_view name) {
  for (const Quantity& quantity : quantities) {
    for (std::size_t k = 0; k < quantity.components.size(); ++k) {
      const std::string& part = quantity.components[k];
      if (name != (part.empty() ? quantity.name : quantity.name + "." + part)) continue;
      return QuantityComponent{.quantity = quantity, .component = k};
    }
  }
  return std::nullopt;
}

// True if the name is that of an item of the table, or within it. The name of a body may itself
// contain dots, so names are compared with the existing ones.
bool is_within(std::string_view name, std::string_view table, std::string_view item) {
  return name.size() > table.size() + item.size() && name.starts_with(table) &&
         name.substr(table.size()).starts_with(item);
}

// Appends nothing before the first step, because there are no reactions yet.
void append_reaction(std::span<const record::ReactionRow> rows, const Quantity& quantity,
                     std::vector<double>* values) {
  const auto row = static_cast<std::size_t>(quantity.reaction);
  if (row < rows.size()) {
    append_field(record::reaction_fields()[quantity.field], &rows[row], values);
  } else {
    values->insert(values->end(), quantity.components.size(),
                   std::numeric_limits<double>::quiet_NaN());
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

void append_values(const Quantity& quantity, std::span<const record::HeaderBody> bodies,
                   const record::RunFrame& frame, std::vector<double>* values) {
  append_body(frame, bodies[static_cast<std::size_t>(quantity.body)], quantity, values);
}

std::optional<QuantityComponent> find_component(std::span<const record::HeaderBody> bodies,
                                                std::string_view name) {
  std::vector<Quantity> candidates;
  const std::span<const Field> fields = record::step_fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!name.starts_with("steps.") || !name.substr(6).starts_with(fields[i].name)) continue;
    candidates.push_back(make_field("steps", RowsOf::kSteps, fields[i], i));
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!is_within(name, "bodies.", bodies[i].name)) continue;
    list_body(bodies[i], static_cast<int>(i), &candidates);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (is_within(name, "joints.", bodies[i].name)) {
      list_joint(bodies[i], static_cast<int>(i), &candidates);
    }
  }
  return pick_component(candidates, name);
}

std::vector<Quantity> list_quantities(const RunReader& run) {
  std::vector<Quantity> list = list_quantities(run.header());
  list_reactions(run, &list);
  return list;
}

std::vector<Quantity> list_quantities(const record::RunHeader& header) {
  std::vector<Quantity> list;
  list_fields("steps", RowsOf::kSteps, record::step_fields(), &list);
  for (int i = 0; i < header.num_bodies(); ++i) list_body(header.bodies[i], i, &list);
  for (int i = 0; i < header.num_bodies(); ++i) list_joint(header.bodies[i], i, &list);
  list_fields("contacts", RowsOf::kContacts, record::contact_fields(), &list);
  return list;
}

std::vector<Quantity> find_quantities(const RunReader& run, std::span<const std::string> names) {
  const std::vector<Quantity> all = list_quantities(run);
  std::vector<bool> is_wanted(all.size(), false);
  std::vector<Quantity> singles;
  for (const std::string& name : names) {
    bool is_known = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!is_named(all[i], name)) continue;
      is_wanted[i] = is_known = true;
    }
    if (is_known) continue;
    std::optional<Quantity> single = find_pair(run.header(), name);
    if (!single) single = find_picked(run, all, name);
    if (single) {
      singles.push_back(std::move(*single));
      continue;
    }
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
  for (Quantity& single : singles) {
    const auto is_same = [&](const Quantity& other) {
      return other.name == single.name;
    };
    if (std::none_of(found.begin(), found.end(), is_same)) found.push_back(std::move(single));
  }
  return found;
}

std::vector<std::vector<double>> read_quantities(const RunReader& run,
                                                 std::span<const Quantity> wanted) {
  // Whole quantities are read; single columns are then taken from these.
  std::vector<Quantity> quantities(wanted.begin(), wanted.end());
  for (Quantity& quantity : quantities) {
    if (!quantity.picked_from.empty()) quantity.components = quantity.picked_from;
  }
  Columns columns(quantities.size());
  PairReader pairs(run);
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
  const bool needs_reactions =
      std::any_of(quantities.begin(), quantities.end(), [](const Quantity& q) {
        return q.reaction >= 0;
      });
  const std::int64_t num_frames = is_any(RowsOf::kFrames) ? run.num_frames() : 0;
  for (std::int64_t k = 0; k < num_frames; ++k) {
    const record::RunFrame frame = run.read_frame(k);
    std::vector<record::ReactionRow> reactions;
    if (needs_reactions) reactions = run.read_reactions(frame.first_reaction, frame.num_reactions);
    for (std::size_t i = 0; i < quantities.size(); ++i) {
      const Quantity& quantity = quantities[i];
      if (quantity.rows != RowsOf::kFrames) continue;
      if (quantity.reaction >= 0) {
        append_reaction(reactions, quantity, &columns[i]);
        continue;
      }
      if (quantity.pair >= 0) {
        pairs.append(frame, quantity, &columns[i]);
        continue;
      }
      append_body(frame, run.header().bodies[quantity.body], quantity, &columns[i]);
    }
  }
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    if (quantities[i].picked_from.empty()) continue;
    const std::size_t width = quantities[i].picked_from.size();
    std::vector<double> picked;
    for (std::size_t at = quantities[i].pick; at < columns[i].size(); at += width) {
      picked.push_back(columns[i][at]);
    }
    columns[i] = std::move(picked);
  }
  return columns;
}

}  // namespace tenpin::lab
