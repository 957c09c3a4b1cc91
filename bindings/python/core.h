#pragma once

#include <pybind11/pybind11.h>

namespace tenpin::python {

namespace py = pybind11;

void bind_core(py::module_& m);   // scenes and simulations, from the public headers
void bind_batch(py::module_& m);  // batches of worlds
// runs, comparisons, solvers, studies, from the library's own headers
void bind_lab(py::module_& m);

}  // namespace tenpin::python
