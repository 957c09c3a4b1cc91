// Tables of contacts as numpy structured arrays.
#pragma once

#include <pybind11/numpy.h>
#include <tenpin/report.h>

#include <cstdint>
#include <vector>

#include "core.h"

namespace tenpin::python {

// One row of Simulation.contacts.
struct ContactRow {
  std::int32_t body_a, body_b;
  double position[3], normal[3], impulse[3], force[3], slip[3];
  double gap, normal_impulse, spin_impulse, normal_velocity, residual, normal_work, friction_work;
  std::uint8_t mode;
  bool force_unique;
};

inline void put(const Vec3& from, double (&to)[3]) {
  for (int k = 0; k < 3; ++k) to[k] = from[k];
}

inline ContactRow to_row(const Contact& c) {
  ContactRow row{};
  row.body_a = c.body_a.index;
  row.body_b = c.body_b.index;
  put(c.position, row.position);
  put(c.normal, row.normal);
  put(c.impulse, row.impulse);
  put(c.force, row.force);
  put(c.slip, row.slip);
  row.gap = c.gap;
  row.normal_impulse = c.normal_impulse;
  row.spin_impulse = c.spin_impulse;
  row.normal_velocity = c.normal_velocity;
  row.residual = c.residual;
  row.normal_work = c.normal_work;
  row.friction_work = c.friction_work;
  row.mode = static_cast<std::uint8_t>(c.mode);
  row.force_unique = c.force_unique;
  return row;
}

inline py::array_t<ContactRow> to_table(const std::vector<Contact>& contacts) {
  py::array_t<ContactRow> rows(static_cast<py::ssize_t>(contacts.size()));
  ContactRow* row = rows.mutable_data();
  for (const Contact& c : contacts) *row++ = to_row(c);
  return rows;
}

}  // namespace tenpin::python
