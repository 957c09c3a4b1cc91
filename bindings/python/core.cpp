// The part of the module from which the package tenpin makes its main classes. Arguments are
// checked here or in the library; nothing that Python passes may crash the process.
#include "core.h"

#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <tenpin/tenpin.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "contact_rows.h"
#include "convert.h"
#include "signal_watch.h"

namespace tenpin::python {

namespace {

// A simulation that refuses use by two threads at the same time.
class Guarded {
 public:
  explicit Guarded(Simulation simulation) : simulation_(std::move(simulation)) {}

  class Use {
   public:
    explicit Use(Guarded* of) : of_(of) {
      if (of->busy_.exchange(true)) {
        throw std::runtime_error("this simulation is in use by another thread");
      }
    }
    ~Use() { of_->busy_ = false; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    Simulation* operator->() const { return &of_->simulation_; }
    Simulation& operator*() const { return of_->simulation_; }

   private:
    Guarded* of_;
  };
  Use use() { return Use(this); }

 private:
  Simulation simulation_;
  std::atomic<bool> busy_ = false;
};

Scene make_scene(const std::string& text_or_file, bool is_text, const LoadOptions& options) {
  return is_text ? Scene::parse(text_or_file, "text", options) : Scene::load(text_or_file, options);
}

std::unique_ptr<Guarded> make_simulation(const Scene& scene, int threads) {
  const py::gil_scoped_release unlock;
  return std::make_unique<Guarded>(Simulation(scene, threads));
}

StepReport step(Guarded& self) {
  const Guarded::Use sim = self.use();
  const py::gil_scoped_release unlock;
  return sim->step();
}

StepReport advance_to(Guarded& self, double t) {
  SignalWatch watch;
  StepReport report;
  {
    const Guarded::Use sim = self.use();
    const py::gil_scoped_release unlock;
    report = sim->advance_to(t, [&watch] {
      return watch.goes_on();
    });
  }
  watch.check();
  return report;
}

py::array view(const py::object& self, const double* data, Eigen::Index size, bool writeable) {
  py::array_t<double> array(size, data, self);  // the array keeps the simulation alive
  if (!writeable) array.attr("setflags")(py::arg("write") = false);
  return array;
}

py::dict to_dict(const Ledger& l) {
  using namespace py::literals;  // NOLINT(google-build-using-namespace): what it is for
  return py::dict("kinetic"_a = l.kinetic, "potential"_a = l.potential, "total"_a = l.total(),
                  "free_flight"_a = l.free_flight, "applied"_a = l.applied, "scheme"_a = l.scheme,
                  "normal"_a = l.normal, "friction"_a = l.friction, "constraint"_a = l.constraint,
                  "projection"_a = l.projection, "prescribed"_a = l.prescribed,
                  "closure"_a = l.closure);
}

py::dict to_dict(const Certificate& c) {
  using namespace py::literals;  // NOLINT(google-build-using-namespace): what it is for
  return py::dict("passed"_a = c.passed, "residual"_a = c.residual, "penetration"_a = c.penetration,
                  "cone_violation"_a = c.cone_violation, "dissipation_gap"_a = c.dissipation_gap,
                  "excess_work"_a = c.excess_work, "forces_unique"_a = c.forces_unique);
}

py::list to_list(const std::vector<Reaction>& reactions) {
  using namespace py::literals;  // NOLINT(google-build-using-namespace): what it is for
  py::list list;
  for (const Reaction& r : reactions) {
    list.append(py::dict(
        "kind"_a = r.kind == Reaction::Kind::kJoint ? "joint" : "loop", "index"_a = r.index,
        "position"_a = to_array(VecX(r.position)), "impulse"_a = to_array(VecX(r.impulse)),
        "moment"_a = to_array(VecX(r.moment)), "force"_a = to_array(VecX(r.force)),
        "torque"_a = to_array(VecX(r.torque)), "drive"_a = r.drive, "stop"_a = r.stop));
  }
  return list;
}

void bind_scene(py::module_& m) {
  py::class_<Scene>(m, "Scene", R"(A scene: a file, YAML text, a dict or another Scene, checked.

    >>> import tenpin
    >>> scene = tenpin.Scene({"name": "Mine", "bodies": [
    ...     {"name": "ball", "mass": 1, "shapes": [{"sphere": {"radius": 0.1}}]}]}, set={"until": 2})
    >>> scene.name, scene.method, scene.until, scene.notes
    ('Mine', 'time-stepping', 2.0, [])
    )")
      .def(py::init([](const py::object& source, const py::object& method, const py::object& set) {
             const py::object make = py::module_::import("tenpin._scene").attr("make_scene");
             return make(source, method, set).cast<Scene>();
           }),
           py::arg("source"), py::arg("method") = py::none(), py::arg("set") = py::none(),
           "Source, method and values to change, as for tenpin.load().")
      .def_static(
          "_make",
          [](const std::string& text_or_file, bool is_text, const std::string& method,
             const std::vector<std::pair<std::string, std::string>>& set) {
            const py::gil_scoped_release unlock;
            return make_scene(text_or_file, is_text, {.method = method, .set = set});
          },
          py::arg("text_or_file"), py::arg("is_text"), py::arg("method") = "",
          py::arg("set") = std::vector<std::pair<std::string, std::string>>())
      .def("to_yaml", &Scene::to_yaml, R"(Text that reads back as this scene, bit for bit.

        >>> tenpin.Scene(scene.to_yaml()).to_yaml() == scene.to_yaml()
        True
        )")
      .def_property_readonly("name", &Scene::name)
      .def_property_readonly("method", &Scene::method)
      .def_property_readonly("until", &Scene::until)
      .def_property_readonly("notes", &Scene::notes)
      .def("__repr__", [](const Scene& s) {
        return "<tenpin.Scene '" + s.name() + "' by " + s.method() + ">";
      });
  py::class_<Snapshot>(m, "Snapshot", R"(What Simulation.save() gives and restore() takes.

    >>> import tenpin
    >>> sim = tenpin.load({"bodies": [
    ...     {"name": "ball", "mass": 1, "shapes": [{"sphere": {"radius": 0.1}}]}]})
    >>> sim.save().time
    0.0
    )")
      .def_property_readonly("time", &Snapshot::time)
      .def("__repr__", [](const Snapshot& s) {
        return "<tenpin.Snapshot at t = " + std::to_string(s.time()) + " s>";
      });
  py::class_<StepReport>(m, "StepReport", R"(How a step went.

    `step`, `time`, `duration` (s), `status`, `ok`, `certified`, `residual`, `certificate`, `ledger`
    (J), `num_contacts`, `num_asleep`, `message`.

    >>> import tenpin
    >>> sim = tenpin.load({"bodies": [
    ...     {"name": "ball", "mass": 1, "shapes": [{"sphere": {"radius": 0.1}}]}]})
    >>> report = sim.step()
    >>> report.ok, report.certified, report.step, report.duration
    (True, True, 1, 0.004166666666666667)
    )")
      .def_readonly("step", &StepReport::step)
      .def_readonly("time", &StepReport::time)
      .def_readonly("duration", &StepReport::duration)
      .def_property_readonly("status",
                             [](const StepReport& r) {
                               return std::string(to_string(r.status));
                             })
      .def_property_readonly("ok", &StepReport::ok)
      .def_property_readonly("certified", &StepReport::certified)
      .def_property_readonly("residual",
                             [](const StepReport& r) {
                               return r.certificate.residual;
                             })
      .def_property_readonly("certificate",
                             [](const StepReport& r) {
                               return to_dict(r.certificate);
                             })
      .def_property_readonly("ledger",
                             [](const StepReport& r) {
                               return to_dict(r.ledger);
                             })
      .def_readonly("num_contacts", &StepReport::num_contacts)
      .def_readonly("num_asleep", &StepReport::num_asleep)
      .def_readonly("message", &StepReport::message)
      .def("__repr__", [](const StepReport& r) {
        return "<tenpin.StepReport step " + std::to_string(r.step) +
               ", t = " + std::to_string(r.time) + " s, " + std::string(to_string(r.status)) +
               (r.certified() ? ", certified>" : ">");
      });
}

void bind_simulation(py::module_& m) {
  py::class_<Guarded>(m, "Simulation")
      .def(py::init(&make_simulation), py::arg("scene"), py::arg("threads") = 1)
      .def("step", &step, R"(One step of a method that steps, one event of the others.

        >>> report = sim.step()
        >>> report.certified, round(report.time, 6)
        (True, 1.004167)
        )")
      .def("advance_to", &advance_to, py::arg("t"))
      .def("reset",
           [](Guarded& self) {
             self.use()->reset();
           })
      .def("save",
           [](Guarded& self) {
             return self.use()->save();
           })
      .def(
          "restore",
          [](Guarded& self, const Snapshot& s) {
            self.use()->restore(s);
          },
          py::arg("snapshot"))
      .def_property_readonly("time",
                             [](Guarded& self) {
                               return self.use()->time();
                             })
      .def_property_readonly("num_steps",
                             [](Guarded& self) {
                               return self.use()->num_steps();
                             })
      .def_property_readonly("fired_events",
                             [](Guarded& self) {
                               std::vector<std::pair<std::string, double>> events;
                               for (const FiredEvent& event : self.use()->fired_events()) {
                                 events.emplace_back(event.name, event.time);
                               }
                               return events;
                             })
      .def_property_readonly("state_hash",
                             [](Guarded& self) {
                               return self.use()->state_hash();
                             })
      .def_property_readonly("scene",
                             [](Guarded& self) {
                               return self.use()->scene();
                             })
      .def_property_readonly("report",
                             [](Guarded& self) {
                               return self.use()->report();
                             })
      .def("_body",
           [](Guarded& self, const std::string& name) {
             return self.use()->body(name).index;
           })
      .def_property_readonly("body_names",
                             [](Guarded& self) {
                               const Guarded::Use sim = self.use();
                               std::vector<std::string> names;
                               for (int k = 0; k < sim->num_bodies(); ++k) {
                                 names.push_back(sim->name(BodyId{k}));
                               }
                               return names;
                             })
      .def("_layout",
           [](Guarded& self) {
             const Guarded::Use sim = self.use();
             py::list list;
             for (int k = 0; k < sim->num_bodies(); ++k) {
               const JointLayout l = sim->layout(JointId{k});
               list.append(py::make_tuple(sim->name(BodyId{k}), std::string(to_string(l.kind)),
                                          l.q_begin, l.nq, l.v_begin, l.nv));
             }
             return list;
           })
      .def("_q",
           [](py::object self) {
             const VecX& q = self.cast<Guarded&>().use()->q();
             return view(self, q.data(), q.size(), false);
           })
      .def("_v",
           [](py::object self) {
             const VecX& v = self.cast<Guarded&>().use()->v();
             return view(self, v.data(), v.size(), false);
           })
      .def("_force",
           [](py::object self) {
             const std::span<double> f = self.cast<Guarded&>().use()->joint_forces();
             return view(self, f.data(), static_cast<Eigen::Index>(f.size()), true);
           })
      .def(
          "set_state",
          [](Guarded& self, const py::handle& q, const py::handle& v) {
            const VecX q_new = to_vector(q, "q");
            const VecX v_new = to_vector(v, "v");
            self.use()->set_state(q_new, v_new);
          },
          py::arg("q"), py::arg("v"))
      .def("_pose",
           [](Guarded& self, int body) {
             const Transform X = self.use()->pose(BodyId{body});
             return to_array(MatX(X.matrix()));
           })
      .def("_velocity",
           [](Guarded& self, int body) {
             const Velocity V = self.use()->velocity(BodyId{body});
             return py::make_tuple(to_array(VecX(V.linear)), to_array(VecX(V.angular)));
           })
      .def_property_readonly("contacts",
                             [](Guarded& self) {
                               return to_table(self.use()->contacts());
                             })
      .def_property_readonly("reactions",
                             [](Guarded& self) {
                               return to_list(self.use()->reactions());
                             })
      .def_property_readonly("ledger",
                             [](Guarded& self) {
                               return to_dict(self.use()->ledger());
                             })
      .def_property_readonly("certificate",
                             [](Guarded& self) {
                               return to_dict(self.use()->certificate());
                             })
      .def_property_readonly("kinetic_energy",
                             [](Guarded& self) {
                               return self.use()->kinetic_energy();
                             })
      .def_property_readonly("potential_energy",
                             [](Guarded& self) {
                               return self.use()->potential_energy();
                             })
      .def("_set_body_force",
           [](Guarded& self, int body, const py::handle& force, const py::handle& torque) {
             const Vec3 f = to_vec3(force, "force");
             const Vec3 t = to_vec3(torque, "torque");
             self.use()->set_body_force(BodyId{body}, f, t);
           })
      .def("_set_motor_target",
           [](Guarded& self, int joint, double target) {
             self.use()->set_motor_target(JointId{joint}, target);
           })
      .def("_set_motion",
           [](Guarded& self, int body, const py::handle& velocity, const py::handle& turn) {
             const PrescribedMotion motion{.velocity = to_vec3(velocity, "velocity"),
                                           .angular_velocity = to_vec3(turn, "angular_velocity")};
             self.use()->set_motion(BodyId{body}, motion);
           })
      .def(
          "set_material_pair",
          [](Guarded& self, const std::string& a, const std::string& b, double friction,
             double restitution) {
            self.use()->set_material_pair(a, b, friction, restitution);
          },
          py::arg("a"), py::arg("b"), py::arg("friction"), py::arg("restitution"))
      .def_property(
          "gravity",
          [](Guarded& self) {
            return to_array(VecX(self.use()->gravity()));
          },
          [](Guarded& self, const py::handle& g) {
            const Vec3 gravity = to_vec3(g, "gravity");
            self.use()->set_gravity(gravity);
          })
      .def("mass_matrix",
           [](Guarded& self) {
             return to_array(calc_mass_matrix(*self.use()));
           })
      .def("bias_forces",
           [](Guarded& self) {
             return to_array(calc_bias_forces(*self.use()));
           })
      .def("smooth_forces",
           [](Guarded& self) {
             return to_array(calc_smooth_forces(*self.use()));
           })
      .def("_point_jacobian",
           [](Guarded& self, int body, const py::handle& point) {
             const Vec3 p = to_vec3(point, "point");
             return to_array(calc_point_jacobian(*self.use(), BodyId{body}, p));
           })
      .def(
          "contact_rows",
          [](Guarded& self, double reach) {
            const ContactRows rows = calc_contact_rows(*self.use(), reach);
            return py::make_tuple(to_table(rows.contacts), to_array(rows.J), to_array(rows.drive),
                                  py::array(py::cast(rows.friction)));
          },
          py::arg("reach") = 0.0)
      .def(
          "delassus",
          [](Guarded& self, const py::handle& J) {
            const MatX rows = to_matrix(J, "J");
            return to_array(calc_delassus(*self.use(), rows));
          },
          py::arg("J"))
      .def("_forward_dynamics",
           [](Guarded& self, const py::handle& extra) {
             const VecX f = to_vector(extra, "extra");
             return to_array(calc_forward_dynamics(*self.use(), f));
           })
      .def(
          "inverse_dynamics",
          [](Guarded& self, const py::handle& v_dot) {
            const VecX a = to_vector(v_dot, "v_dot");
            return to_array(calc_inverse_dynamics(*self.use(), a));
          },
          py::arg("v_dot"))
      .def("_distance",
           [](Guarded& self, int a, int b) {
             const Distance d = calc_distance(*self.use(), BodyId{a}, BodyId{b});
             return py::make_tuple(d.gap, to_array(VecX(d.point_a)), to_array(VecX(d.point_b)),
                                   to_array(VecX(d.normal)));
           })
      .def("_contact_force",
           [](Guarded& self, int a, int b) {
             return to_array(VecX(calc_contact_force(*self.use(), BodyId{a}, BodyId{b})));
           })
      .def("_joint_effort",
           [](Guarded& self, int joint) {
             return calc_joint_effort(*self.use(), JointId{joint});
           })
      .def("_linearize", [](Guarded& self, double eps, double duration, bool by_differences) {
        Linearization step;
        {
          const Guarded::Use sim = self.use();
          const py::gil_scoped_release unlock;
          step =
              linearize(*sim, {.eps = eps, .duration = duration, .by_differences = by_differences});
        }
        return py::make_tuple(to_array(step.A), to_array(step.B), step.duration,
                              step.through_contacts, step.why_differences, step.kinks);
      });
}

}  // namespace

void bind_core(py::module_& m) {
  PYBIND11_NUMPY_DTYPE(ContactRow, body_a, body_b, position, normal, impulse, force, slip, gap,
                       normal_impulse, spin_impulse, normal_velocity, residual, normal_work,
                       friction_work, mode, force_unique);
  py::options options;
  options.disable_function_signatures();  // the stubs have better signatures
  bind_scene(m);
  bind_simulation(m);
}

}  // namespace tenpin::python
