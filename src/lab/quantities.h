// The contents of a run file, by name: steps.residual, bodies.ball.position, contacts.gap.
//   steps.<field>          one row per step; the fields of docs/run-file.md
//   contacts.<field>       one row per recorded contact
//   bodies.<name>.<field>  one row per frame: position, orientation, velocity, angular_velocity,
//                          coordinates, rates
//   joints.<body>.<field>  one row per frame: position and velocity of the joint; force and torque
//   loops.<name>.<field>   on the body from its parent about the joint, with impulse and moment of
//                          the last step; drive, which is also called effort, and stop along its
//                          axis. Not a number where not recorded
//   pairs.<a>+<b>.<field>  one row per frame: force and impulse on b, the sum over its recorded
//                          contacts with a; distance of their surfaces. Not listed, since there are
//                          so many
// A name without its end stands for all below it: steps, bodies, bodies.ball, contacts. A name with
// a component, bodies.ball.position.z, stands for that column alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/run_reader.h"

namespace tenpin::lab {

// What each row of a quantity belongs to.
enum class RowsOf { kSteps, kFrames, kContacts };

struct Quantity {
  std::string name;  // as above
  std::string unit;
  RowsOf rows = RowsOf::kSteps;
  int body = -1;  // of bodies.<name>...
  // of joints and loops: row among the reactions of a frame
  int reaction = -1;
  int pair = -1;                        // of pairs.<a>+<b>: b; `body` is a
  std::size_t field = 0;                // of the rows or of the body
  std::vector<std::string> components;  // "", or x y z ...: columns per row
  // for one column alone: all components of its quantity
  std::vector<std::string> picked_from;
  std::size_t pick = 0;                          // index of that column among them
  std::span<const std::string_view> words = {};  // of an enumeration, by number
  bool is_integer = false;
};

// Lists all quantities of a run, in the order of its file.
[[nodiscard]] std::vector<Quantity> list_quantities(const record::RunReader& run);
// The same for a run without a file.
[[nodiscard]] std::vector<Quantity> list_quantities(const record::RunHeader& header);

// Finds one number of steps or bodies by its full name, with the component: bodies.ball.position.x.
// Fast, because it makes no list.
struct QuantityComponent {
  Quantity quantity;
  std::size_t component = 0;
};
[[nodiscard]] std::optional<QuantityComponent> find_component(
    std::span<const record::HeaderBody> bodies, std::string_view name);

// Append the values of a quantity of steps, or of bodies, component by component.
void append_values(const Quantity& quantity, const record::StepRow& row,
                   std::vector<double>* values);
void append_values(const Quantity& quantity, std::span<const record::HeaderBody> bodies,
                   const record::RunFrame& frame, std::vector<double>* values);

// Finds the quantities that the names stand for, without duplicates. Throws InputError for an
// unknown name.
[[nodiscard]] std::vector<Quantity> find_quantities(const record::RunReader& run,
                                                    std::span<const std::string> names);

// Reads all values of each quantity, row by row, component by component.
[[nodiscard]] std::vector<std::vector<double>> read_quantities(
    const record::RunReader& run, std::span<const Quantity> quantities);

// Makes comma-separated text with one line per row, starting with the time. All quantities must
// have the same rows; otherwise throws InputError.
[[nodiscard]] std::string make_quantity_csv(const record::RunReader& run,
                                            std::span<const Quantity> quantities);

// Writes an HDF5 file of plain arrays, each under its name with slashes in place of dots, with its
// unit. Times are in steps/t, frames/t and contacts/t. Throws RecordError.
void write_quantity_arrays(const record::RunReader& run, std::span<const Quantity> quantities,
                           const std::string& path);

}  // namespace tenpin::lab
