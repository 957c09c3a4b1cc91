// Many simulations of one scene at once.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <tenpin/tenpin.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "convert.h"
#include "core.h"
#include "signal_watch.h"

namespace tenpin::python {

namespace {

// Many simulations of one scene, stepped by several threads. Each has the bits that it would have
// by itself.
class Batch {
 public:
  Batch(const Scene& scene, int count, int threads) : threads_(threads) {
    if (count < 1 || count > 1'000'000) {
      throw InputError("count: got " + std::to_string(count) + ", want 1 to 1000000");
    }
    if (threads < 0 || threads > 1024) {
      throw InputError("threads: got " + std::to_string(threads) + ", want 0 to 1024");
    }
    if (threads_ == 0)
      threads_ = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    const Simulation first(scene);
    nq_ = first.q().size();
    nv_ = first.v().size();
    simulations_.reserve(static_cast<std::size_t>(count));
    for (int k = 0; k < count; ++k) simulations_.push_back(first.clone());
    start_ = std::make_unique<Snapshot>(first.save());
    q_.resize(static_cast<std::size_t>(count) * nq_);
    v_.resize(static_cast<std::size_t>(count) * nv_);
    force_.resize(v_.size(), 0.0);
    ok_.assign(simulations_.size(), 1);
    for (std::size_t k = 0; k < simulations_.size(); ++k) publish(k);
  }

  // `steps` of each that is well; false if the watch ended it early.
  bool step(int steps, SignalWatch* watch) {
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> stop = false;
    const auto work = [&](bool is_first) {
      const auto goes_on = [&] {
        if (is_first && !watch->goes_on()) stop = true;
        return !stop;
      };
      for (std::size_t k = next++; k < simulations_.size() && goes_on(); k = next++) {
        step_one(k, steps, goes_on);
      }
    };
    std::vector<std::jthread> team;
    for (int t = 1; t < threads_; ++t) team.emplace_back(work, false);
    work(true);
    team.clear();  // waits for all
    return !stop;
  }

  void reset(const std::vector<char>& mask) {
    for (std::size_t k = 0; k < simulations_.size(); ++k) {
      if (mask[k] == 0) continue;
      simulations_[k].restore(*start_);
      std::fill_n(force_.begin() + static_cast<std::ptrdiff_t>(k * nv_), nv_, 0.0);
      ok_[k] = 1;
      publish(k);
    }
  }

  void set_state(std::size_t k, const VecX& q, const VecX& v) {
    simulations_.at(k).set_state(q, v);
    ok_[k] = 1;
    publish(k);
  }

  Simulation& at(std::size_t k) { return simulations_.at(k); }
  std::size_t size() const { return simulations_.size(); }
  std::size_t nq_ = 0, nv_ = 0;
  std::vector<double> q_, v_, force_;  // by rows: one simulation each
  std::vector<std::uint8_t> ok_;

  // Held while a call changes the batch.
  class Use {
   public:
    explicit Use(Batch* of) : of_(of) {
      if (of->busy_.exchange(true)) {
        throw std::runtime_error("this batch is in use by another thread");
      }
    }
    ~Use() { of_->busy_ = false; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    Batch* of_;
  };

 private:
  template <class GoesOn>
  void step_one(std::size_t k, int steps, const GoesOn& goes_on) {
    if (ok_[k] == 0) return;
    Simulation& sim = simulations_[k];
    std::copy_n(force_.begin() + static_cast<std::ptrdiff_t>(k * nv_), nv_,
                sim.joint_forces().begin());
    try {
      for (int i = 0; i < steps && ok_[k] != 0 && goes_on(); ++i) ok_[k] = sim.step().ok() ? 1 : 0;
    } catch (const std::exception&) {  // forces that are not finite, or that the method refuses
      ok_[k] = 0;
    }
    publish(k);
  }
  void publish(std::size_t k) {
    const Simulation& sim = simulations_[k];
    std::copy_n(sim.q().data(), nq_, q_.begin() + static_cast<std::ptrdiff_t>(k * nq_));
    std::copy_n(sim.v().data(), nv_, v_.begin() + static_cast<std::ptrdiff_t>(k * nv_));
  }

  int threads_;
  std::atomic<bool> busy_ = false;
  std::vector<Simulation> simulations_;
  std::unique_ptr<Snapshot> start_;
};

py::array matrix_view(const py::object& self, double* data, std::size_t rows, std::size_t columns,
                      bool writeable) {
  py::array_t<double> array({rows, columns}, data, self);
  if (!writeable) array.attr("setflags")(py::arg("write") = false);
  return array;
}

}  // namespace

void bind_batch(py::module_& m) {
  py::class_<Batch>(m, "Batch")
      .def(py::init([](const Scene& scene, int count, int threads) {
             const py::gil_scoped_release unlock;
             return std::make_unique<Batch>(scene, count, threads);
           }),
           py::arg("scene"), py::arg("count"), py::arg("threads") = 0)
      .def(
          "step",
          [](Batch& self, int steps) {
            if (steps < 0) throw InputError("steps: got " + std::to_string(steps) + ", want >= 0");
            SignalWatch watch;
            {
              const Batch::Use use(&self);
              const py::gil_scoped_release unlock;
              self.step(steps, &watch);
            }
            watch.check();
          },
          py::arg("steps") = 1)
      .def("_reset",
           [](Batch& self, const std::vector<bool>& mask) {
             if (mask.size() != self.size()) {
               throw InputError("mask: got " + std::to_string(mask.size()) + " flags, want " +
                                std::to_string(self.size()));
             }
             const Batch::Use use(&self);
             self.reset(std::vector<char>(mask.begin(), mask.end()));
           })
      .def(
          "set_state",
          [](Batch& self, std::size_t k, const py::handle& q, const py::handle& v) {
            if (k >= self.size()) {
              throw InputError("index: got " + std::to_string(k) + ", want less than " +
                               std::to_string(self.size()));
            }
            const VecX q_new = to_vector(q, "q");
            const VecX v_new = to_vector(v, "v");
            const Batch::Use use(&self);
            self.set_state(k, q_new, v_new);
          },
          py::arg("index"), py::arg("q"), py::arg("v"))
      .def("__len__", &Batch::size)
      .def("_hash",
           [](Batch& self, std::size_t k) {
             const Batch::Use use(&self);
             return self.at(k).state_hash();
           })
      .def_property_readonly("time",
                             [](Batch& self) {
                               const Batch::Use use(&self);
                               VecX t(self.size());
                               for (std::size_t k = 0; k < self.size(); ++k) {
                                 t[static_cast<Eigen::Index>(k)] = self.at(k).time();
                               }
                               return to_array(t);
                             })
      .def_property_readonly("q",
                             [](py::object self) {
                               auto& batch = self.cast<Batch&>();
                               return matrix_view(self, batch.q_.data(), batch.size(), batch.nq_,
                                                  false);
                             })
      .def_property_readonly("v",
                             [](py::object self) {
                               auto& batch = self.cast<Batch&>();
                               return matrix_view(self, batch.v_.data(), batch.size(), batch.nv_,
                                                  false);
                             })
      .def_property_readonly("force",
                             [](py::object self) {
                               auto& batch = self.cast<Batch&>();
                               return matrix_view(self, batch.force_.data(), batch.size(),
                                                  batch.nv_, true);
                             })
      .def_property_readonly("ok", [](Batch& self) {
        py::array_t<bool> flags(static_cast<py::ssize_t>(self.size()));
        for (std::size_t k = 0; k < self.size(); ++k) flags.mutable_data()[k] = self.ok_[k] != 0;
        return flags;
      });
}

}  // namespace tenpin::python
