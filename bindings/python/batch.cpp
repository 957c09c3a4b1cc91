// Batches of worlds for Python.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <tenpin/tenpin.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "contact_rows.h"
#include "convert.h"
#include "core.h"
#include "signal_watch.h"

namespace tenpin::python {

namespace {

// A batch that refuses use by two threads at the same time.
class GuardedBatch {
 public:
  explicit GuardedBatch(Batch batch) : batch_(std::move(batch)) {}

  // Held while a call uses the batch.
  class Use {
   public:
    explicit Use(GuardedBatch* of) : of_(of) {
      if (of->busy_.exchange(true)) {
        throw std::runtime_error("this batch is in use by another thread");
      }
    }
    ~Use() { of_->busy_ = false; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    Batch* operator->() const { return &of_->batch_; }

   private:
    GuardedBatch* of_;
  };
  Use use() { return Use(this); }

  // For values that never change and addresses that stay valid.
  const Batch& fixed() const { return batch_; }

 private:
  std::atomic<bool> busy_ = false;
  Batch batch_;
};

// Converts options; tenpin/_batch.py has checked the texts.
BatchOptions make_options(const std::string& device, const std::string& precision, int threads) {
  using Device = BatchOptions::Device;
  return {.device = device == "gpu"         ? Device::kGpu
                    : device == "auto"      ? Device::kAuto
                    : device == "cpu-batch" ? Device::kCpuBatch
                                            : Device::kCpu,
          .precision = precision == "f32" ? BatchOptions::Precision::kSingle
                                          : BatchOptions::Precision::kDouble,
          .threads = threads};
}

py::array matrix_view(const py::object& self, const double* numbers, int rows, int columns,
                      bool writeable) {
  py::array_t<double> array({rows, columns}, numbers, self);
  if (!writeable) array.attr("setflags")(py::arg("write") = false);
  return array;
}

// One column of the worlds' reports.
template <class T, class Read>
py::array_t<T> make_column(const std::vector<WorldReport>& reports, const Read& read) {
  py::array_t<T> column(static_cast<py::ssize_t>(reports.size()));
  T* to = column.mutable_data();
  for (const WorldReport& report : reports) *to++ = static_cast<T>(read(report));
  return column;
}

std::vector<WorldReport> read_reports(GuardedBatch& self) {
  const GuardedBatch::Use batch = self.use();
  std::vector<WorldReport> reports;
  for (int k = 0; k < batch->size(); ++k) reports.push_back(batch->report(k));
  return reports;
}

py::dict to_columns(const std::vector<WorldReport>& reports) {
  py::dict columns;
  const auto add = [&](const char* name, const auto& read) {
    columns[name] = make_column<double>(reports, read);
  };
  py::list paths;
  for (const WorldReport& report : reports) paths.append(std::string(to_string(report.path)));
  columns["path"] = paths;
  columns["ok"] = make_column<bool>(reports, [](const auto& r) {
    return r.ok;
  });
  columns["certified"] = make_column<bool>(reports, [](const auto& r) {
    return r.certified;
  });
  columns["steps"] = make_column<std::int64_t>(reports, [](const auto& r) {
    return r.steps;
  });
  add("time", [](const auto& r) {
    return r.time;
  });
  add("residual", [](const auto& r) {
    return r.certificate.residual;
  });
  add("penetration", [](const auto& r) {
    return r.certificate.penetration;
  });
  add("kinetic", [](const auto& r) {
    return r.ledger.kinetic;
  });
  add("potential", [](const auto& r) {
    return r.ledger.potential;
  });
  add("normal", [](const auto& r) {
    return r.ledger.normal;
  });
  add("friction", [](const auto& r) {
    return r.ledger.friction;
  });
  add("applied", [](const auto& r) {
    return r.ledger.applied;
  });
  add("scheme", [](const auto& r) {
    return r.ledger.scheme;
  });
  add("closure", [](const auto& r) {
    return r.ledger.closure;
  });
  return columns;
}

// The contacts of all worlds, and the world of each.
py::tuple read_contacts(GuardedBatch& self) {
  const GuardedBatch::Use batch = self.use();
  std::vector<Contact> all;
  std::vector<std::int32_t> worlds;
  for (int k = 0; k < batch->size(); ++k) {
    const std::vector<Contact> contacts = batch->contacts(k);
    all.insert(all.end(), contacts.begin(), contacts.end());
    worlds.resize(all.size(), k);
  }
  return py::make_tuple(py::array_t<std::int32_t>(py::ssize_t(worlds.size()), worlds.data()),
                        to_table(all));
}

py::dict describe_array(const py::object& self, const BatchArray& array) {
  py::dict result;
  const std::vector<py::ssize_t> shape(array.shape.begin(), array.shape.end());
  const std::vector<py::ssize_t> strides(array.strides.begin(), array.strides.end());
  result["shape"] = py::tuple(py::cast(shape));
  result["strides"] = py::tuple(py::cast(strides));
  result["address"] = array.address;
  result["size"] = array.size_of_number;
  if (array.on_gpu) return result;
  const py::dtype type =
      array.size_of_number == 4 ? py::dtype::of<float>() : py::dtype::of<double>();
  py::array view(type, shape, strides, reinterpret_cast<const void*>(array.address), self);
  view.attr("setflags")(py::arg("write") = false);
  result["view"] = view;
  return result;
}

py::dict read_arrays(const py::object& self) {
  const GuardedBatch::Use batch = self.cast<GuardedBatch&>().use();
  const BatchArrays arrays = batch->arrays();
  py::dict result;
  result["position"] = describe_array(self, arrays.position);
  result["rotation"] = describe_array(self, arrays.rotation);
  result["velocity"] = describe_array(self, arrays.velocity);
  result["origin"] = to_array(VecX(arrays.origin));
  MatX principal(arrays.principal.size(), 4);
  std::vector<int> bodies;
  for (std::size_t i = 0; i < arrays.principal.size(); ++i) {
    const Quat& q = arrays.principal[i];
    principal.row(static_cast<Eigen::Index>(i)) << q.w(), q.x(), q.y(), q.z();
    bodies.push_back(arrays.bodies[i].index);
  }
  result["principal"] = to_array(principal);
  result["bodies"] = bodies;
  return result;
}

void bind_states(py::class_<GuardedBatch>* batch) {
  batch
      ->def_property_readonly("q",
                              [](const py::object& self) {
                                const Batch& b = self.cast<GuardedBatch&>().fixed();
                                return matrix_view(self, b.q().data(), b.size(), b.nq(), false);
                              })
      .def_property_readonly("v",
                             [](const py::object& self) {
                               const Batch& b = self.cast<GuardedBatch&>().fixed();
                               return matrix_view(self, b.v().data(), b.size(), b.nv(), false);
                             })
      .def_property_readonly("force",
                             [](const py::object& self) {
                               const GuardedBatch::Use b = self.cast<GuardedBatch&>().use();
                               return matrix_view(self, b->forces().data(), b->size(), b->nv(),
                                                  true);
                             })
      .def_property_readonly("time",
                             [](GuardedBatch& self) {
                               return make_column<double>(read_reports(self), [](const auto& r) {
                                 return r.time;
                               });
                             })
      .def_property_readonly("ok",
                             [](GuardedBatch& self) {
                               const GuardedBatch::Use b = self.use();
                               py::array_t<bool> flags(b->size());
                               for (int k = 0; k < b->size(); ++k)
                                 flags.mutable_data()[k] = b->ok(k);
                               return flags;
                             })
      .def_property_readonly("certified",
                             [](GuardedBatch& self) {
                               return make_column<bool>(read_reports(self), [](const auto& r) {
                                 return r.certified;
                               });
                             })
      .def_property_readonly("messages",
                             [](GuardedBatch& self) {
                               std::vector<std::string> messages;
                               for (WorldReport& r : read_reports(self)) {
                                 messages.push_back(std::move(r.message));
                               }
                               return messages;
                             })
      .def("_report",
           [](GuardedBatch& self) {
             return to_columns(read_reports(self));
           })
      .def("_contacts", &read_contacts)
      .def("_arrays", &read_arrays);
}

}  // namespace

void bind_batch(py::module_& m) {
  py::class_<GuardedBatch> batch(m, "Batch");
  batch
      .def(py::init([](const Scene& scene, int count, const std::string& device,
                       const std::string& precision, int threads) {
             const py::gil_scoped_release unlock;
             return std::make_unique<GuardedBatch>(
                 Batch(scene, count, make_options(device, precision, threads)));
           }),
           py::arg("scene"), py::arg("count"), py::arg("device"), py::arg("precision"),
           py::arg("threads"))
      .def(py::init([](const std::vector<Scene>& scenes, const std::string& device,
                       const std::string& precision, int threads) {
             const py::gil_scoped_release unlock;
             return std::make_unique<GuardedBatch>(
                 Batch(scenes, make_options(device, precision, threads)));
           }),
           py::arg("scenes"), py::arg("device"), py::arg("precision"), py::arg("threads"))
      .def(
          "step",
          [](GuardedBatch& self, int steps) {
            SignalWatch watch;
            {
              const GuardedBatch::Use use = self.use();
              const py::gil_scoped_release unlock;
              use->step(steps, [&watch] {
                return watch.goes_on();
              });
            }
            watch.check();
          },
          py::arg("steps") = 1)
      .def("_reset",
           [](GuardedBatch& self, const std::vector<bool>& mask) {
             self.use()->reset(std::vector<char>(mask.begin(), mask.end()));
           })
      .def(
          "set_state",
          [](GuardedBatch& self, int k, const py::handle& q, const py::handle& v) {
            const VecX q_new = to_vector(q, "q");
            const VecX v_new = to_vector(v, "v");
            self.use()->set_state(k, q_new, v_new);
          },
          py::arg("index"), py::arg("q"), py::arg("v"))
      .def(
          "set_start",
          [](GuardedBatch& self, int k, const py::handle& q, const py::handle& v) {
            const VecX q_new = to_vector(q, "q");
            const VecX v_new = to_vector(v, "v");
            self.use()->set_start(k, q_new, v_new);
          },
          py::arg("index"), py::arg("q"), py::arg("v"))
      .def("__len__",
           [](const GuardedBatch& self) {
             return self.fixed().size();
           })
      .def_property_readonly("device",
                             [](const GuardedBatch& self) {
                               return self.fixed().device();
                             })
      .def_property_readonly("reason",
                             [](const GuardedBatch& self) {
                               return self.fixed().reason();
                             })
      .def("_hash", [](GuardedBatch& self, int k) {
        return self.use()->state_hash(k);
      });
  bind_states(&batch);
}

}  // namespace tenpin::python
