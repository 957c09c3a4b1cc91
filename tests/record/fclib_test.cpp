#include "record/fclib.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "base/check.h"
#include "complementarity/cone/cone_solver.h"

namespace tenpin::record {
namespace {

namespace fs = std::filesystem;
using namespace complementarity::cone;
using complementarity::SolveStatus;

std::vector<fs::path> list_problems(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".hdf5") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

const fs::path kShipped = fs::path(TENPIN_SOURCE_DIR) / "tests/record/fclib";

ConeProblem read_problem(const fs::path& file) {
  return make_cone_problem(make_local_form(read_fclib(file), file));
}

void expect_solved(const fs::path& file, double tolerance) {
  const ConeProblem problem = read_problem(file);
  ConeSolver solver({.tolerance = tolerance});
  ConeSolution solution;
  solver.solve(problem, &solution);
  EXPECT_EQ(solution.status, SolveStatus::kSolved) << file;
  EXPECT_LE(certify_cone(problem, solution.r).err_q, tolerance) << file;
}

TEST(Fclib, ShippedProblemsAreSolved) {
  const std::vector<fs::path> files = list_problems(kShipped);
  EXPECT_EQ(files.size(), 17U);
  for (const fs::path& file : files) {
    expect_solved(file, 1e-8);
    expect_solved(file, 1e-10);
  }
}

// TENPIN_FCLIB names a folder with more of them.
TEST(Fclib, FolderOfTheUserIsSolved) {
  const char* folder = std::getenv("TENPIN_FCLIB");
  if (folder == nullptr) GTEST_SKIP() << "TENPIN_FCLIB is not set";
  for (const fs::path& file : list_problems(folder)) expect_solved(file, 1e-8);
}

TEST(Fclib, CondensingGivesTheLocalProblem) {
  const ConeProblem from_global = read_problem(kShipped / "Box_Stacks-i0035-31-0_global.hdf5");
  const ConeProblem local = read_problem(kShipped / "Box_Stacks-i0035-31-0_cond.hdf5");
  ASSERT_EQ(from_global.q.size(), local.q.size());
  EXPECT_EQ(from_global.mu, local.mu);
  for (std::size_t i = 0; i < local.q.size(); ++i) {
    EXPECT_NEAR(from_global.q[i], local.q[i], 1e-12);
  }
  for (int a = 0; a < local.num_blocks(); ++a) {
    for (int e = local.W.row_begin[a]; e < local.W.row_begin[a + 1]; ++e) {
      const int other = from_global.W.find(a, local.W.col[e]);
      for (int k = 0; k < 9; ++k) {
        const double value = other < 0 ? 0.0 : from_global.W.entry(other)[k];
        EXPECT_NEAR(value, local.W.entry(e)[k], 1e-12 + 1e-9 * std::fabs(value));
      }
    }
  }
}

class FclibFile : public testing::Test {
 protected:
  void SetUp() override {
    const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
    file_ = testing::TempDir() + "tenpin_fclib_" + test + ".hdf5";
  }
  void TearDown() override { fs::remove(file_); }

  // What the reader says to a file with that form; must begin with the file's name.
  template <typename Form>
  std::string complaint(const Form& form) const {
    write_fclib(file_, {form, ""}, FclibEncoding::kColumns);
    return complaint_of_file();
  }
  std::string complaint_of_file() const {
    try {
      static_cast<void>(make_cone_problem(make_local_form(read_fclib(file_), file_)));
      return "accepted";
    } catch (const InputError& error) {
      const std::string text = error.what();
      EXPECT_EQ(text.rfind(file_ + ": ", 0), 0U) << text;
      return text.substr(std::min(text.size(), file_.size() + 2));
    }
  }

  std::string file_;
};

// Two contacts and one equality row that couples them; W is not symmetric.
LocalForm make_local() {
  LocalForm form;
  form.W.num_rows = form.W.num_cols = form.V.num_rows = 6;
  form.V.num_cols = form.R.num_rows = form.R.num_cols = 1;
  for (int i = 0; i < 6; ++i) form.W.add(i, i, 2.0 + 0.1 * i);
  form.W.add(0, 4, 0.25);
  form.W.add(3, 1, -0.5);
  form.V.add(2, 0, 0.75);
  form.V.add(5, 0, -0.75);
  form.R.add(0, 0, 1.5);
  form.q = {-1.0, 0.3, 0.1, -2.0, 0.0, 0.6};
  form.s = {0.2};
  form.mu = {0.5, 0.25};
  return form;
}

// A unit mass with two contacts in the plane, held by one equality row.
GlobalForm make_global() {
  GlobalForm form;
  form.space_dim = 2;
  form.M.num_rows = form.M.num_cols = form.H.num_rows = form.G.num_rows = 3;
  form.H.num_cols = 4;
  form.G.num_cols = 1;
  form.M.add(0, 0, 2.0);
  form.M.add(1, 1, 2.0);
  form.M.add(2, 2, 0.5);
  for (int c = 0; c < 2; ++c) {
    form.H.add(1, 2 * c, 1.0);                  // normal
    form.H.add(2, 2 * c, c == 0 ? -0.5 : 0.5);  // its torque
    form.H.add(0, 2 * c + 1, 1.0);              // tangent
    form.H.add(2, 2 * c + 1, 0.3);
  }
  form.G.add(2, 0, 1.0);
  form.f = {0.4, -2.0, 0.1};
  form.w = {0.0, 0.0, 0.01, 0.0};
  form.b = {0.0};
  form.mu = {0.3, 0.3};
  return form;
}

void expect_equal(const ConeProblem& a, const ConeProblem& b) {
  EXPECT_EQ(a.W.col, b.W.col);
  EXPECT_EQ(a.W.values, b.W.values);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.mu, b.mu);
}

TEST_F(FclibFile, EveryEncodingReadsBack) {
  for (const FclibEncoding encoding :
       {FclibEncoding::kColumns, FclibEncoding::kRows, FclibEncoding::kList}) {
    write_fclib(file_, {make_local(), ""}, encoding);
    expect_equal(read_problem(file_), make_cone_problem(make_local()));
    write_fclib(file_, {make_global(), ""}, encoding);
    expect_equal(read_problem(file_), make_cone_problem(condense(make_global())));
  }
}

TEST_F(FclibFile, EqualityRowsAndPlanarContactsAreSolved) {
  write_fclib(file_, {make_global(), ""}, FclibEncoding::kList);
  const ConeProblem problem = read_problem(file_);
  EXPECT_EQ(problem.calc_num_contacts(), 2);
  EXPECT_EQ(problem.num_rows(), 7);
  ConeSolver solver({.tolerance = 1e-12});
  ConeSolution solution;
  solver.solve(problem, &solution);
  ASSERT_EQ(solution.status, SolveStatus::kSolved);
  // It slides: the tangent of both contacts moves at one speed, against friction of mu times the
  // whole weight; the equality row keeps it from turning.
  const std::vector<double> r = take_contact_rows(solution.r, 2, 2);
  const std::vector<double> u = take_contact_rows(solution.u, 2, 2);
  EXPECT_NEAR(u[1], u[3], 1e-12);
  EXPECT_NEAR(std::min(u[0], u[2]), 0.0, 1e-12);
  const double normal = r[0] + r[2];
  const double tangent = r[1] + r[3];
  EXPECT_NEAR(u[1], 0.2 + 0.5 * tangent, 1e-12);
  if (u[1] > 1e-9) {
    EXPECT_NEAR(tangent, -0.3 * normal, 1e-11);
  }
  EXPECT_NEAR(solution.u[6], 0.0, 1e-12);
}

TEST_F(FclibFile, SolutionIsWrittenBesideTheProblem) {
  write_fclib_solution(file_, {make_local(), ""}, {{1, 2, 3, 4, 5, 6}, {6, 5, 4, 3, 2, 1}, {7}});
  const FclibSolution solution = read_fclib_solution(file_);
  EXPECT_EQ(solution.r, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(solution.u, (std::vector<double>{6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(solution.l, (std::vector<double>{7}));
  expect_equal(read_problem(file_), make_cone_problem(make_local()));
}

TEST_F(FclibFile, ComplaintsNameThePlace) {
  LocalForm form = make_local();
  form.mu[1] = -0.25;
  EXPECT_EQ(complaint(form),
            "/fclib_local/vectors/mu[1]: out of range, got -0.25, want at least 0");
  form = make_local();
  form.q.pop_back();
  EXPECT_EQ(complaint(form), "/fclib_local/vectors/q: wrong size, got 5 numbers, want 6");
  form = make_local();
  form.q[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(complaint(form), "/fclib_local/vectors/q[2]: not finite, got nan, want a number");
  form = make_local();
  form.W.value[3] = std::numeric_limits<double>::infinity();
  EXPECT_NE(complaint(form).find("/fclib_local/W/x["), std::string::npos);
  form = make_local();
  form.space_dim = 4;
  EXPECT_EQ(complaint(form), "/fclib_local/spacedim: no such space, got 4, want 2 or 3");
  form = make_local();
  form.W.row[0] = 6;
  EXPECT_EQ(complaint(form), "/fclib_local/W/i[0]: out of range, got 6, want 0 to 5");
  form = make_local();
  form.W.num_rows = 5;
  EXPECT_NE(complaint(form).find("want 0 to 4"), std::string::npos);
  form = make_local();
  form.mu.push_back(0.1);
  EXPECT_EQ(complaint(form), "/fclib_local/W: wrong shape, got 6 by 6, want 9 by 9");
  GlobalForm global = make_global();
  global.M.value[2] = 0.0;
  EXPECT_EQ(complaint(global),
            "/fclib_global/M: singular, got no inverse, want a positive definite matrix");
}

TEST_F(FclibFile, OtherFilesAreRefused) {
  EXPECT_EQ(complaint_of_file().rfind("No such file", 0), 0U);
  std::ofstream(file_) << "{}";
  EXPECT_EQ(complaint_of_file(), "/: not an HDF5 file, got other bytes, want an FCLIB file");
  fs::remove(file_);
  fs::create_directory(file_);
  EXPECT_EQ(complaint_of_file(), "/: not a regular file, got another kind, want an FCLIB file");
}

TEST_F(FclibFile, TruncatedFilesAreRefused) {
  write_fclib(file_, {make_local(), ""}, FclibEncoding::kColumns);
  std::stringstream whole;
  whole << std::ifstream(file_, std::ios::binary).rdbuf();
  const std::string bytes = whole.str();
  for (std::size_t size = 0; size < bytes.size(); size += 97) {
    std::ofstream(file_, std::ios::binary) << bytes.substr(0, size);
    EXPECT_NE(complaint_of_file(), "accepted") << size;
  }
}

// A crafted file must not make us read another file of the user.
class FclibWithLinks : public FclibFile {
 protected:
  void SetUp() override {
    FclibFile::SetUp();
    other_ = file_ + ".other";
    write_fclib(other_, {make_local(), ""}, FclibEncoding::kColumns);
    write_fclib(file_, {make_local(), ""}, FclibEncoding::kColumns);
    id_ = H5Fopen(file_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(id_, 0);
  }
  void TearDown() override {
    fs::remove(other_);
    FclibFile::TearDown();
  }
  void expect_refused(const std::string& path) {
    H5Fclose(id_);
    const std::string text = complaint_of_file();
    EXPECT_EQ(text.rfind(path + ": unreadable", 0), 0U) << text;
  }

  std::string other_;
  hid_t id_ = -1;
};

TEST_F(FclibWithLinks, ExternalLinksAreNotFollowed) {
  H5Ldelete(id_, "/fclib_local/vectors/mu", H5P_DEFAULT);
  H5Lcreate_external(other_.c_str(), "/fclib_local/vectors/mu", id_, "/fclib_local/vectors/mu",
                     H5P_DEFAULT, H5P_DEFAULT);
  expect_refused("/fclib_local/vectors/mu");
}

TEST_F(FclibWithLinks, ExternalGroupsAreNotFollowed) {
  H5Ldelete(id_, "/fclib_local/vectors", H5P_DEFAULT);
  H5Lcreate_external(other_.c_str(), "/fclib_local/vectors", id_, "/fclib_local/vectors",
                     H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Lexists(id_, "/fclib_local/vectors", H5P_DEFAULT), 1);
  H5Fclose(id_);
  EXPECT_NE(complaint_of_file().find("is a link to another place"), std::string::npos);
}

TEST_F(FclibWithLinks, SoftLinksAreNotFollowed) {
  H5Ldelete(id_, "/fclib_local/vectors/mu", H5P_DEFAULT);
  H5Lcreate_soft("/fclib_local/vectors/q", id_, "/fclib_local/vectors/mu", H5P_DEFAULT,
                 H5P_DEFAULT);
  expect_refused("/fclib_local/vectors/mu");
}

TEST_F(FclibWithLinks, DataInOtherFilesAreNotRead) {
  H5Ldelete(id_, "/fclib_local/vectors/mu", H5P_DEFAULT);
  const hsize_t count = 2;
  const hid_t space = H5Screate_simple(1, &count, nullptr);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(creation, "/etc/hostname", 0, 2 * sizeof(double));
  const hid_t set = H5Dcreate2(id_, "/fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, space,
                               H5P_DEFAULT, creation, H5P_DEFAULT);
  ASSERT_GE(set, 0);
  H5Dclose(set);
  H5Pclose(creation);
  H5Sclose(space);
  expect_refused("/fclib_local/vectors/mu");
}

TEST_F(FclibFile, CannotBeWrittenIntoAMissingFolder) {
  EXPECT_THROW(write_fclib(file_ + "/no/file.hdf5", {make_local(), ""}, FclibEncoding::kRows),
               std::runtime_error);
}

}  // namespace
}  // namespace tenpin::record
