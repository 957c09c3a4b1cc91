#pragma once

#include <pybind11/pybind11.h>

namespace tenpin::python {

namespace py = pybind11;

void bind_core(py::module_& m);   // scenes and simulations: the public headers
void bind_batch(py::module_& m);  // many of them
void bind_lab(py::module_& m);    // runs, comparisons, solvers, studies: the library's own

}  // namespace tenpin::python
