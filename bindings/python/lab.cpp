// Runs, comparisons, solvers and impacts for Python, from the library's own headers.
#include "simulation/public.h"
// The line above must come first.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "complementarity/cone/cone_solver.h"
#include "complementarity/cone/forms.h"
#include "complementarity/lemke.h"
#include "core.h"
#include "impact/certify.h"
#include "impact/spatial.h"
#include "lab/compare.h"
#include "lab/compare_page.h"
#include "lab/simulation.h"
#include "lab/study/study.h"
#include "lab/study/trial_runner.h"
#include "lab/viewer_page.h"
#include "record/fclib.h"
#include "record/record_error.h"
#include "record/run_reader.h"
#include "signal_watch.h"
#include "simulation/scene_errors.h"

namespace tenpin::python {

namespace {

using namespace py::literals;  // NOLINT(google-build-using-namespace): what it is for
using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

Array to_numbers(const py::handle& value, const char* argument, int dimensions) {
  Array array = Array::ensure(value);
  if (!array || array.ndim() != dimensions) {
    PyErr_Clear();
    throw InputError(std::string(argument) + ": want " +
                     (dimensions == 1 ? "a vector" : "a matrix") + " of numbers");
  }
  const double* data = array.data();
  for (py::ssize_t k = 0; k < array.size(); ++k) {
    if (!std::isfinite(data[k])) {
      throw InputError(std::string(argument) + ": got a number that is not finite");
    }
  }
  return array;
}

void check_shape(const char* argument, py::ssize_t got, py::ssize_t want) {
  if (got == want) return;
  throw InputError(std::string(argument) + ": got " + std::to_string(got) + ", want " +
                   std::to_string(want));
}

void check_tolerance(double tolerance) {
  if (tolerance >= 1e-15 && tolerance <= 0.01) return;
  throw InputError("tolerance: got " + std::to_string(tolerance) + ", want 1e-15 to 0.01");
}

py::array_t<double> to_array(std::span<const double> x) {
  return py::array_t<double>(static_cast<py::ssize_t>(x.size()), x.data());
}

// Calls a Python function to report progress, and checks for Ctrl-C. Stores the exceptions of both.
class Watch {
 public:
  explicit Watch(py::object on_progress) : on_progress_(std::move(on_progress)) {}
  bool operator()(double t, double until) {
    if (error_) return false;
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) {
      error_.emplace();  // takes over the exception
      return false;
    }
    if (on_progress_.is_none()) return true;
    try {
      on_progress_(t, until);
      return true;
    } catch (py::error_already_set& error) {
      error_.emplace(error);
      return false;
    }
  }
  [[nodiscard]] bool goes_on() const { return !error_; }
  void check() const {
    if (error_) throw py::error_already_set(*error_);
  }

 private:
  py::object on_progress_;
  std::optional<py::error_already_set> error_;
};

py::dict to_dict(const lab::Summary& s) {
  using L = contact::Ledger;
  const py::dict ledger("start"_a = s.energy_start, "end"_a = s.energy_end,
                        "free_flight"_a = s.work[L::kFreeFlight], "applied"_a = s.work[L::kApplied],
                        "scheme"_a = s.work[L::kScheme], "normal"_a = s.work[L::kNormal],
                        "friction"_a = s.work[L::kFriction],
                        "constraint"_a = s.work[L::kConstraint],
                        "projection"_a = s.work[L::kProjection], "closure"_a = s.total_closure);
  const py::dict certificate(
      "passed"_a = s.worst.passed, "residual"_a = s.worst.residual,
      "penetration"_a = s.worst.penetration, "cone_violation"_a = s.worst.cone_violation,
      "dissipation_gap"_a = s.worst.dissipation_gap, "excess_work"_a = s.worst.excess_work);
  return py::dict("status"_a = std::string(to_string(s.status)), "message"_a = s.message,
                  "time"_a = s.t, "steps"_a = s.steps, "wall"_a = s.wall, "cpu"_a = s.cpu,
                  "state_hash"_a = s.state_hash, "ledger"_a = ledger, "certificate"_a = certificate,
                  "max_contacts"_a = s.max_contacts);
}

// Runs a scene as the program does, so that the bits are the same.
py::dict simulate(const Scene& scene, const std::string& file, int threads,
                  const py::object& on_progress) {
  Watch watch(on_progress);
  lab::SimulationOptions options;
  options.threads = threads;
  options.run_file = file;
  options.on_progress = [&watch](const lab::Progress& p) {
    return watch(p.t, p.until);
  };
  lab::Summary summary;
  {
    const py::gil_scoped_release unlock;
    summary = lab::simulate(scene.contents(), options);
  }
  watch.check();
  return to_dict(summary);
}

const char* format_of(record::FieldType type) {
  using T = record::FieldType;
  switch (type) {
    case T::kReal:
      return "<f8";
    case T::kVector:
      return "(3,)<f8";
    case T::kInt64:
      return "<i8";
    case T::kInt32:
      return "<i4";
    case T::kUint32:
      return "<u4";
    case T::kBool:
      return "?";
    default:
      return "u1";
  }
}

// Returns the rows of a table as a structured array with the same fields as in run files.
template <class Row>
py::object to_table(const std::vector<Row>& rows, std::span<const record::Field> fields) {
  py::list names, formats, offsets;
  for (const record::Field& f : fields) {
    names.append(std::string(f.name));
    formats.append(format_of(f.type));
    offsets.append(f.offset);
  }
  const py::object numpy = py::module_::import("numpy");
  const py::object dtype = numpy.attr("dtype")(py::dict(
      "names"_a = names, "formats"_a = formats, "offsets"_a = offsets, "itemsize"_a = sizeof(Row)));
  const py::bytes bytes(reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(Row));
  return numpy.attr("frombuffer")(bytes, "dtype"_a = dtype);
}

py::dict read_run(const std::string& file) {
  const record::RunReader run(file);
  const auto frames = static_cast<py::ssize_t>(run.num_frames());
  const auto bodies = static_cast<py::ssize_t>(run.header().num_bodies());
  py::array_t<double> position({frames, bodies, py::ssize_t{3}});
  py::array_t<double> orientation({frames, bodies, py::ssize_t{4}});
  py::array_t<double> velocity({frames, bodies, py::ssize_t{3}});
  py::array_t<double> turn({frames, bodies, py::ssize_t{3}});
  py::array_t<double> t(frames);
  py::array_t<double> q({frames, py::ssize_t{run.header().nq}});
  py::array_t<double> v({frames, py::ssize_t{run.header().nv}});
  for (py::ssize_t k = 0; k < frames; ++k) {
    const record::RunFrame frame = run.read_frame(k);
    t.mutable_at(k) = frame.t;
    std::copy(frame.q.begin(), frame.q.end(), q.mutable_data() + k * q.shape(1));
    std::copy(frame.v.begin(), frame.v.end(), v.mutable_data() + k * v.shape(1));
    for (py::ssize_t b = 0; b < bodies; ++b) {
      const record::BodyMotion& m = frame.bodies[static_cast<std::size_t>(b)];
      const Quat& o = m.orientation;
      std::copy(m.position.begin(), m.position.end(), position.mutable_data(k, b, 0));
      std::copy(m.velocity.begin(), m.velocity.end(), velocity.mutable_data(k, b, 0));
      std::copy(m.angular_velocity.begin(), m.angular_velocity.end(), turn.mutable_data(k, b, 0));
      const double wxyz[4] = {o.w(), o.x(), o.y(), o.z()};
      std::copy(wxyz, wxyz + 4, orientation.mutable_data(k, b, 0));
    }
  }
  py::list names;
  for (const record::HeaderBody& body : run.header().bodies) names.append(body.name);
  return py::dict(
      "bodies"_a = names, "t"_a = t, "q"_a = q, "v"_a = v, "position"_a = position,
      "orientation"_a = orientation, "velocity"_a = velocity, "angular_velocity"_a = turn,
      "steps"_a = to_table(run.read_steps(0, run.num_steps()), record::step_fields()),
      "contacts"_a = to_table(run.read_contacts(0, run.num_contacts()), record::contact_fields()),
      "status"_a = run.status().to_string(), "message"_a = run.status().message,
      "scene"_a = run.header().scene_text, "name"_a = run.header().scene_name,
      "method"_a = run.header().method_name);
}

std::string make_page(const std::string& file) {
  const py::gil_scoped_release unlock;
  return lab::make_viewer_page(record::RunReader(file));
}

py::dict compare(const std::vector<std::pair<std::string, Scene>>& scenes,
                 const std::string& folder, int threads, bool with_page) {
  std::vector<lab::Contender> contenders;
  for (const auto& [label, scene] : scenes) {
    contenders.push_back({.label = label, .scene = scene.contents()});
  }
  Watch watch{py::none()};
  lab::Comparison result;
  std::string page;
  {
    const py::gil_scoped_release unlock;
    lab::CompareOptions options{.folder = folder, .threads = threads};
    options.on_progress = [&watch](const std::string&, const lab::Progress& p) {
      return watch(p.t, p.until);
    };
    result = lab::compare(contenders, options);
    if (watch.goes_on() && with_page && result.reference >= 0)
      page = lab::make_compare_page(result, folder);
  }
  watch.check();
  py::list rows;
  for (std::size_t k = 0; k < result.outcomes.size(); ++k) {
    const lab::CompareOutcome& o = result.outcomes[k];
    py::dict row("label"_a = o.label, "refused"_a = o.refused, "message"_a = o.message,
                 "summary"_a = to_dict(o.summary));
    const lab::Difference& d = result.differences[k];
    row["distance"] = d.end_distance;
    row["body"] = d.end_body;
    row["parts_at"] = d.parting ? py::object(py::float_(d.parting->t)) : py::object(py::none());
    row["reasons"] = d.parting ? d.parting->reasons : std::vector<std::string>();
    rows.append(row);
  }
  return py::dict("rows"_a = rows, "tolerance"_a = result.tolerance, "page"_a = page);
}

py::dict solve_lcp(const py::handle& M, const py::handle& q, double tolerance) {
  const Array matrix = to_numbers(M, "M", 2);
  const Array vector = to_numbers(q, "q", 1);
  const py::ssize_t n = vector.size();
  check_shape("M: rows", matrix.shape(0), n);
  check_shape("M: columns", matrix.shape(1), n);
  check_tolerance(tolerance);
  complementarity::Lcp lcp;
  lcp.R = Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(matrix.data(), n, n);
  lcp.u = Eigen::Map<const VecX>(vector.data(), n);
  complementarity::LcpSolution solution;
  {
    const py::gil_scoped_release unlock;
    solution = complementarity::solve_lemke(lcp, {.tolerance = tolerance});
  }
  return py::dict(
      "z"_a = to_array({solution.z.data(), static_cast<std::size_t>(solution.z.size())}),
      "status"_a = std::string(to_string(solution.status)),
      "solved"_a = solution.status == complementarity::SolveStatus::kSolved,
      "residual"_a = solution.residual.relative, "natural"_a = solution.residual.natural,
      "pivots"_a = solution.pivots);
}

// Impulses and velocities in the rows of the form, and the multipliers of its equality rows.
py::dict solve_local_form(const complementarity::cone::LocalForm& form, double tolerance) {
  namespace cone = complementarity::cone;
  check_tolerance(tolerance);
  cone::ConeSolution solution;
  const auto contacts = static_cast<int>(form.mu.size());
  {
    const py::gil_scoped_release unlock;
    cone::ConeSolver solver({.tolerance = tolerance});
    solver.solve(cone::make_cone_problem(form), &solution);
  }
  const cone::ConeResidual& r = solution.residual;
  return py::dict("r"_a = to_array(cone::take_contact_rows(solution.r, contacts, form.space_dim)),
                  "u"_a = to_array(cone::take_contact_rows(solution.u, contacts, form.space_dim)),
                  "l"_a = to_array(cone::take_free_rows(solution.r, contacts)),
                  "status"_a = std::string(to_string(solution.status)),
                  "solved"_a = solution.status == complementarity::SolveStatus::kSolved,
                  "residual"_a = r.err_q, "cone_violation"_a = r.cone_violation,
                  "penetration"_a = r.penetration);
}

// Solves a friction problem with W given as lists of rows, columns and values.
py::dict solve_friction(const py::array_t<int, py::array::forcecast>& rows,
                        const py::array_t<int, py::array::forcecast>& columns,
                        const py::handle& values, const py::handle& q, const py::handle& mu,
                        double tolerance) {
  namespace cone = complementarity::cone;
  const Array x = to_numbers(values, "W", 1);
  const Array right = to_numbers(q, "q", 1);
  const Array friction = to_numbers(mu, "mu", 1);
  const auto m = static_cast<int>(right.size());
  check_shape("q", right.size(), 3 * friction.size());
  cone::LocalForm form;
  form.W.num_rows = form.W.num_cols = m;
  for (py::ssize_t k = 0; k < x.size(); ++k) {
    const int i = rows.at(k);
    const int j = columns.at(k);
    if (i < 0 || i >= m || j < 0 || j >= m) throw InputError("W: got an entry outside");
    form.W.add(i, j, x.at(k));
  }
  form.q.assign(right.data(), right.data() + m);
  form.mu.assign(friction.data(), friction.data() + friction.size());
  for (const double coefficient : form.mu) {
    if (coefficient < 0.0) throw InputError("mu: got a negative number, want >= 0");
  }
  return solve_local_form(form, tolerance);
}

// Reads and solves a friction problem from an FCLIB file.
py::dict solve_friction_file(const std::string& file, double tolerance) {
  complementarity::cone::LocalForm form;
  {
    const py::gil_scoped_release unlock;
    form = record::make_local_form(record::read_fclib(file), file);
  }
  return solve_local_form(form, tolerance);
}

// True if W is symmetric and no principal minor is negative, up to rounding.
bool is_semidefinite(const Eigen::Matrix3d& W) {
  constexpr double kRounding = 1e-9;
  const double size = W.norm();
  if (!(W - W.transpose()).isZero(kRounding * size)) return false;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if (W(i, i) < -kRounding * size) return false;
    if (W(i, i) * W(j, j) - W(i, j) * W(j, i) < -kRounding * size * size) return false;
  }
  const double determinant = W.row(0).dot(W.row(1).cross(W.row(2)));
  return determinant >= -kRounding * size * size * size;
}

py::dict solve_impact(const py::handle& W, const py::handle& v, const std::string& law, double e,
                      double mu) {
  const Array matrix = to_numbers(W, "W", 2);
  const Array velocity = to_numbers(v, "v", 1);
  check_shape("W: rows", matrix.shape(0), 3);
  check_shape("W: columns", matrix.shape(1), 3);
  check_shape("v", velocity.size(), 3);
  const std::optional<impact::Law> which = impact::find_law(law);
  if (!which) {
    throw InputError("law: got '" + law + "', want newton, poisson, energetic or energetic-ratio");
  }
  if (!(e >= 0.0 && e <= 1.0)) throw InputError("e: got " + std::to_string(e) + ", want 0 to 1");
  if (!(mu >= 0.0 && mu <= 1000.0)) {
    throw InputError("mu: got " + std::to_string(mu) + ", want 0 to 1000");
  }
  const Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> given(matrix.data());
  const impact::SpatialContact contact{.W = given, .v = Eigen::Map<const Vec3>(velocity.data())};
  if (!is_semidefinite(contact.W) || !(contact.W(2, 2) > 0.0)) {
    throw InputError("W: want a symmetric positive semidefinite matrix with W[2, 2] > 0");
  }
  const impact::Surface surface{.mu = mu, .mu_static = mu, .restitution = e, .law = *which};
  std::vector<impact::SpatialPoint> trace;
  const impact::SpatialImpact answer =
      impact::solve_spatial(contact, surface, &trace, impact::TraceDetail::kEnds);
  const impact::ImpactCertificate check = impact::certify(contact, surface, answer, trace);
  return py::dict(
      "impulse"_a = to_array({answer.end.p.data(), 3}),
      "velocity"_a = to_array({answer.end.v.data(), 3}),
      "status"_a = std::string(to_string(answer.status)),
      "residual"_a = std::max({check.momentum, check.energy, check.friction, check.restitution}));
}

py::list run_study(const std::string& file, int threads, std::int64_t most) {
  lab::Study study;
  std::vector<lab::TrialRow> rows;
  SignalWatch watch;
  {
    const py::gil_scoped_release unlock;
    study = simulation::with_public_errors([&] {
      return lab::read_study(file);
    });
    const std::int64_t count = most > 0 ? std::min(most, study.num_trials()) : study.num_trials();
    rows.resize(static_cast<std::size_t>(count));
    std::atomic<std::int64_t> next = 0;
    std::atomic<bool> stop = false;
    const auto work = [&](bool is_first) {
      lab::TrialRunner runner(study);
      const auto goes_on = [&] {
        if (is_first && !watch.goes_on()) stop = true;
        return !stop;
      };
      for (std::int64_t k = next++; k < count && goes_on(); k = next++) {
        rows[static_cast<std::size_t>(k)] = runner.run(k, goes_on);
      }
    };
    std::vector<std::jthread> team;
    for (int t = 1; t < threads; ++t) team.emplace_back(work, false);
    work(true);
    team.clear();  // waits for all threads
  }
  watch.check();
  py::list columns;
  for (const lab::Variable& v : study.variables) columns.append(v.name);
  for (const lab::Measure& m : study.measures) columns.append(m.name);
  py::list table;
  for (const lab::TrialRow& row : rows) {
    py::list cells;
    for (const lab::Cell& cell : row.cells) {
      cells.append(cell.number         ? py::object(py::float_(*cell.number))
                   : cell.text.empty() ? py::object(py::none())
                                       : py::object(py::str(cell.text)));
    }
    table.append(py::make_tuple(row.trial, cells, row.status));
  }
  py::list result;
  result.append(columns);
  result.append(table);
  return result;
}

}  // namespace

void bind_lab(py::module_& m) {
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const record::RecordError& error) {
      PyErr_SetString(PyExc_OSError, error.what());
    }
  });
  m.def("simulate", &simulate, "scene"_a, "file"_a, "threads"_a, "on_progress"_a);
  m.def("read_run", &read_run, "file"_a);
  m.def("make_page", &make_page, "file"_a);
  m.def("compare", &compare, "scenes"_a, "folder"_a, "threads"_a, "with_page"_a);
  m.def("solve_lcp", &solve_lcp, "M"_a, "q"_a, "tolerance"_a);
  m.def("solve_friction", &solve_friction, "rows"_a, "columns"_a, "values"_a, "q"_a, "mu"_a,
        "tolerance"_a);
  m.def("solve_friction_file", &solve_friction_file, "file"_a, "tolerance"_a);
  m.def("solve_impact", &solve_impact, "W"_a, "v"_a, "law"_a, "e"_a, "mu"_a);
  m.def("run_study", &run_study, "file"_a, "threads"_a, "most"_a);
}

}  // namespace tenpin::python
