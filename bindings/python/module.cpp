// The module tenpin._core: errors, and the parts that core.cpp, batch.cpp and lab.cpp define.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <tenpin/error.h>

#include <string>

#include "core.h"

namespace tenpin::python {

namespace {

// The Python classes, which exist as long as the interpreter.
PyObject* input_error = nullptr;
PyObject* numerical_error = nullptr;
PyObject* limit_error = nullptr;

void raise_input_error(const char* what, const std::vector<Problem>& problems) {
  using namespace py::literals;  // NOLINT(google-build-using-namespace): what it is for
  std::string text = what;
  while (text.ends_with('\n')) text.pop_back();
  const py::object error = py::reinterpret_borrow<py::object>(input_error)(text);
  py::list list;
  const py::object make = py::module_::import("tenpin._errors").attr("Problem");
  for (const Problem& p : problems) {
    list.append(make("file"_a = p.file, "line"_a = p.line, "column"_a = p.column, "path"_a = p.path,
                     "text"_a = p.text));
  }
  error.attr("problems") = list;
  PyErr_SetObject(input_error, error.ptr());
}

void translate(std::exception_ptr pointer) {
  try {
    if (pointer) std::rethrow_exception(pointer);
  } catch (const SceneError& error) {
    raise_input_error(error.what(), error.problems());
  } catch (const InputError& error) {
    raise_input_error(error.what(), {});
  } catch (const NumericalError& error) {
    PyErr_SetString(numerical_error, error.what());
  } catch (const LimitError& error) {
    PyErr_SetString(limit_error, error.what());
  }
}

}  // namespace

PYBIND11_MODULE(_core, m) {
  const py::module_ errors = py::module_::import("tenpin._errors");
  input_error = py::object(errors.attr("InputError")).release().ptr();
  numerical_error = py::object(errors.attr("NumericalError")).release().ptr();
  limit_error = py::object(errors.attr("LimitError")).release().ptr();
  py::register_exception_translator(&translate);
  bind_core(m);
  bind_batch(m);
  bind_lab(m);
}

}  // namespace tenpin::python
