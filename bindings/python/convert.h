// Converts numbers and vectors between Python and the library.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <tenpin/error.h>
#include <tenpin/types.h>

#include <string>

#include "core.h"

namespace tenpin::python {

using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

inline VecX to_vector(const py::handle& value, const char* argument) {
  Array array = Array::ensure(value);
  if (!array) {
    PyErr_Clear();
    throw InputError(std::string(argument) + ": want numbers");
  }
  if (array.ndim() > 1) {
    throw InputError(std::string(argument) + ": got " + std::to_string(array.ndim()) +
                     " dimensions, want one");
  }
  return Eigen::Map<const VecX>(array.data(), array.size());
}

inline Vec3 to_vec3(const py::handle& value, const char* argument) {
  const VecX x = to_vector(value, argument);
  if (x.size() != 3) {
    throw InputError(std::string(argument) + ": got " + std::to_string(x.size()) +
                     " numbers, want 3");
  }
  return x;
}

inline MatX to_matrix(const py::handle& value, const char* argument) {
  Array array = Array::ensure(value);
  if (!array || array.ndim() != 2) {
    PyErr_Clear();
    throw InputError(std::string(argument) + ": want a matrix of numbers");
  }
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(
      array.data(), array.shape(0), array.shape(1));
}

inline py::array_t<double> to_array(const VecX& x) {
  return py::array_t<double>(x.size(), x.data());
}

inline py::array_t<double> to_array(const MatX& x) {
  py::array_t<double> result({x.rows(), x.cols()});
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    for (Eigen::Index j = 0; j < x.cols(); ++j) result.mutable_at(i, j) = x(i, j);
  }
  return result;
}

}  // namespace tenpin::python
