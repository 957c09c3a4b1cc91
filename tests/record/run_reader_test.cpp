#include "record/run_reader.h"

#include <hdf5.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/check.h"
#include "record/csv.h"
#include "record/fake_run.h"
#include "record/summary.h"

namespace tenpin::record {
namespace {

using Contacts = scene::Record::Contacts;

constexpr std::int64_t kNumSteps = 90;

std::string read_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

class RunReaderTest : public testing::Test {
 protected:
  RunReaderTest() {
    RunWriter writer(path_, make_fake_header(Contacts::kSteps));
    for (std::int64_t step = 0; step <= kNumSteps; ++step) append_fake_step(step, &writer);
    writer.close(RunState::kFinished, "");
  }

  TestFolder folder_;
  std::string path_ = folder_.file("run.h5");
};

// A crafted file must not make us read another file of the user.
TEST_F(RunReaderTest, LinksToOtherFilesAreRefused) {
  const std::string other = folder_.file("other.h5");
  write_bytes(other, read_bytes(path_));
  const hid_t id = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(id, 0);
  ASSERT_GE(H5Ldelete(id, "/frames/q", H5P_DEFAULT), 0);
  H5Lcreate_external(other.c_str(), "/frames/q", id, "/frames/q", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(id);
  EXPECT_THROW(
      {
        const RunReader reader(path_);
        static_cast<void>(reader.read_frame(0));
      },
      InputError);
}

// A frame within a step is continued from where that step began.
TEST_F(RunReaderTest, RestartBeforeTheFrameComesBack) {
  dynamics::State before = make_fake_state(40);
  before.memory = {7, 8};
  {
    RunWriter writer(path_, make_fake_header(Contacts::kNone));
    writer.append_frame(make_fake_state(41), make_fake_bodies(41), {}, &before);
    writer.close(RunState::kFinished, "");
  }
  const dynamics::State restart = RunReader(path_).read_restart(0);
  EXPECT_EQ(restart.t, before.t);
  EXPECT_EQ(restart.step, before.step);
  EXPECT_EQ(restart.q, before.q);
  EXPECT_EQ(restart.v, before.v);
  EXPECT_EQ(restart.memory, before.memory);
}

// `tenpin info` and live pages read a file while a run writes it.
TEST(RunReader, ReadsAFileWhileItGrows) {
  const TestFolder folder;
  const std::string path = folder.file("run.h5");
  RunWriter writer(path, make_fake_header(Contacts::kSteps), {.max_bytes = 1});
  for (std::int64_t step = 0; step < 10; ++step) append_fake_step(step, &writer);
  std::atomic<bool> is_done = false;
  std::thread thread([&] {
    for (std::int64_t step = 10; !is_done; ++step) append_fake_step(step, &writer);
  });
  std::int64_t num_frames = 0;
  std::string failure;
  for (int i = 0; i < 100 && failure.empty(); ++i) {
    try {
      const RunReader reader(path);
      if (reader.num_frames() < num_frames) failure = "frames were lost";
      num_frames = reader.num_frames();
      static_cast<void>(reader.read_frame(num_frames - 1));
      static_cast<void>(reader.read_steps(reader.num_steps() - 1, 1));
    } catch (const std::exception& error) {
      failure = error.what();
    }
  }
  is_done = true;
  thread.join();
  writer.close(RunState::kFinished, "");
  EXPECT_EQ(failure, "");
}

TEST_F(RunReaderTest, HeaderComesBack) {
  const RunHeader want = make_fake_header(Contacts::kSteps);
  const RunReader reader(path_);
  const RunHeader& is = reader.header();
  EXPECT_EQ(is.tenpin_version, want.tenpin_version);
  EXPECT_EQ(is.scene_name, "Fake");
  EXPECT_EQ(is.scene_file, "fake.yaml");
  EXPECT_EQ(is.scene_text, want.scene_text);
  EXPECT_EQ(is.method_name, "time-stepping");
  EXPECT_EQ(is.method_options, want.method_options);
  EXPECT_NE(is.method_options.find("order: 2\n"), std::string::npos);
  EXPECT_EQ(is.seed, want.seed);
  EXPECT_EQ(is.gravity, want.gravity);
  ASSERT_EQ(is.bodies.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(is.bodies[i].name, want.bodies[i].name);
    EXPECT_EQ(is.bodies[i].colour, want.bodies[i].colour);
    EXPECT_EQ(is.bodies[i].joint, want.bodies[i].joint);
    EXPECT_EQ(is.bodies[i].q_begin, want.bodies[i].q_begin);
    EXPECT_EQ(is.bodies[i].mass, want.bodies[i].mass);
    EXPECT_EQ(is.bodies[i].inertia, want.bodies[i].inertia);
    EXPECT_EQ(is.bodies[i].p_OB, want.bodies[i].p_OB);
  }
  ASSERT_EQ(is.parts.size(), want.parts.size());
  for (std::size_t i = 0; i < is.parts.size(); ++i) {
    EXPECT_EQ(is.parts[i].body, want.parts[i].body);
    EXPECT_EQ(is.parts[i].kind, want.parts[i].kind);
    EXPECT_EQ(is.parts[i].parameters, want.parts[i].parameters);
    EXPECT_EQ(is.parts[i].p_OS, want.parts[i].p_OS);
    EXPECT_EQ(is.parts[i].R_OS, want.parts[i].R_OS);
    EXPECT_EQ(is.parts[i].vertices, want.parts[i].vertices);
    EXPECT_EQ(is.parts[i].face_begin, want.parts[i].face_begin);
    EXPECT_EQ(is.parts[i].face_vertices, want.parts[i].face_vertices);
  }
  EXPECT_EQ(is.materials.at(0).name, "ivory");
  EXPECT_EQ(is.materials.at(0).mu_across, 0.3);
}

// An open mesh in its own colour, on the last body; the first part can touch nothing.
TEST_F(RunReaderTest, ShapesThatAreOnlyDrawnComeBack) {
  RunHeader header = make_fake_header(Contacts::kNone);
  header.parts.at(0).touches = false;
  HeaderPart visual{.body = 2, .kind = ShapeKind::kPolyhedron};
  visual.p_OS = {1, 2, 3};
  visual.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  visual.face_begin = {0, 3};
  visual.face_vertices = {0, 1, 2};
  visual.touches = false;
  visual.colour = "red";
  header.bodies.at(2).visuals = {visual};
  RunWriter(path_, header).close(RunState::kFinished, "");
  const RunReader reader(path_);
  const RunHeader& is = reader.header();
  EXPECT_FALSE(is.parts.at(0).touches);
  EXPECT_TRUE(is.parts.at(1).touches);
  EXPECT_TRUE(is.bodies.at(1).visuals.empty());
  const HeaderPart& back = is.bodies.at(2).visuals.at(0);
  EXPECT_EQ(back.p_OS, visual.p_OS);
  EXPECT_EQ(back.vertices, visual.vertices);
  EXPECT_EQ(back.face_begin, visual.face_begin);
  EXPECT_EQ(back.face_vertices, visual.face_vertices);
  EXPECT_EQ(back.colour, "red");
  EXPECT_FALSE(back.touches);
  // Pictures show it instead of that body's parts, and the parts of the others.
  const std::vector<const HeaderPart*> drawn = list_drawn(is);
  EXPECT_EQ(drawn.back(), &back);
  EXPECT_EQ(std::count_if(drawn.begin(), drawn.end(),
                          [](const HeaderPart* part) {
                            return part->body == 2;
                          }),
            1);
}

TEST_F(RunReaderTest, RefusesWhatIsNoRun) {
  EXPECT_THROW(RunReader(folder_.file("none.h5")), InputError);
  EXPECT_THROW(RunReader("/dev/null"), InputError);
  EXPECT_THROW(RunReader(folder_.path()), InputError);
  write_bytes(folder_.file("text.h5"), "tenpin: 1\n");
  EXPECT_THROW(RunReader(folder_.file("text.h5")), InputError);
  write_bytes(folder_.file("empty.h5"), "");
  EXPECT_THROW(RunReader(folder_.file("empty.h5")), InputError);
  EXPECT_THROW(static_cast<void>(RunReader(path_).read_frame(1000)), InputError);
  EXPECT_THROW(static_cast<void>(RunReader(path_).read_steps(0, kNumSteps + 1)), InputError);
}

TEST_F(RunReaderTest, TruncatedAnywhereIsRefused) {
  const auto size = std::filesystem::file_size(path_);
  for (int i = 0; i < 500; ++i) {
    // Each a cut of the one before: from the whole file down to nothing.
    const auto cut = static_cast<std::uintmax_t>(static_cast<double>(size - 1) * (500 - i) / 500.0);
    std::filesystem::resize_file(path_, cut);
    EXPECT_THROW(RunReader{path_}, InputError) << cut << " of " << size << " bytes";
  }
}

// Reads all there is.
void read_everything(const std::string& path) {
  const RunReader reader(path);
  static_cast<void>(summarize(reader));
  for (std::int64_t k = 0; k < reader.num_frames(); ++k) static_cast<void>(reader.read_restart(k));
  static_cast<void>(reader.read_contacts(0, reader.num_contacts()));
  static_cast<void>(reader.read_reactions(0, reader.num_reactions()));
  static_cast<void>(reader.read_messages());
}

// The bytes of the committed rows of a dataset, by their places in the file.
std::vector<std::uint64_t> find_row_bytes(const std::string& path, const char* name,
                                          std::uint64_t num_rows) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  const hid_t space = H5Dget_space(set);
  const hid_t type = H5Dget_type(set);
  std::array<hsize_t, 3> dims = {};
  const int rank = H5Sget_simple_extent_dims(space, dims.data(), nullptr);
  std::uint64_t row_bytes = H5Tget_size(type);
  for (int i = 1; i < rank; ++i) row_bytes *= dims[i];
  hsize_t num_chunks = 0;
  H5Dget_num_chunks(set, space, &num_chunks);
  std::vector<std::uint64_t> places;
  for (hsize_t i = 0; i < num_chunks; ++i) {
    std::array<hsize_t, 3> offset = {};
    haddr_t address = 0;
    hsize_t size = 0;
    H5Dget_chunk_info(set, space, i, offset.data(), nullptr, &address, &size);
    for (std::uint64_t b = 0; b < size && offset[0] * row_bytes + b < num_rows * row_bytes; ++b) {
      places.push_back(address + b);
    }
  }
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(set);
  H5Fclose(file);
  return places;
}

TEST_F(RunReaderTest, EveryFlippedBitOfARowIsNoticed) {
  const std::string good = read_bytes(path_);
  const std::string bad_path = folder_.file("bad.h5");
  const std::uint64_t num_frames = RunReader(path_).num_frames();
  const std::uint64_t num_contacts = RunReader(path_).num_contacts();
  const std::uint64_t num_reactions = RunReader(path_).num_reactions();
  const std::vector<std::pair<const char*, std::uint64_t>> tables = {
      {"steps", kNumSteps},
      {"contacts", num_contacts},
      {"reactions", num_reactions},
      {"frames/t", num_frames},
      {"frames/q", num_frames},
      {"frames/pose", num_frames},
      {"frames/first_contact", num_frames},
      {"restarts", num_frames}};
  const RandomStream random(11);
  int draw = 0;
  for (const auto& [name, num_rows] : tables) {
    const auto places = find_row_bytes(path_, name, num_rows);
    ASSERT_FALSE(places.empty()) << name;
    for (int i = 0; i < 25 * test_scale(); ++i) {
      const auto place = places[random.index(draw++, static_cast<std::uint32_t>(places.size()))];
      std::string bad = good;
      bad[place] = static_cast<char>(bad[place] ^ (1 << random.index(draw++, 8)));
      write_bytes(bad_path, bad);
      EXPECT_THROW(RunReader(bad_path).verify(), InputError) << name << ", byte " << place;
      EXPECT_THROW(read_everything(bad_path), InputError) << name << ", byte " << place;
    }
  }
}

// Rows are verified as they are read: a damaged block does not keep others from being read.
TEST_F(RunReaderTest, RowsBesideADamagedBlockCanBeRead) {
  {
    RunWriter writer(path_, make_fake_header(Contacts::kSteps), {.max_bytes = 3000});
    for (std::int64_t step = 0; step <= kNumSteps; ++step) append_fake_step(step, &writer);
    writer.close(RunState::kFinished, "");
  }
  const auto places = find_row_bytes(path_, "steps", kNumSteps);
  std::string bad = read_bytes(path_);
  bad[places[places.size() / 2]] ^= 1;
  write_bytes(path_, bad);
  const RunReader reader(path_);
  int num_unreadable = 0;
  for (std::int64_t i = 0; i < kNumSteps; ++i) {
    try {
      EXPECT_EQ(reader.read_steps(i, 1).at(0).step, i + 1);
    } catch (const InputError&) {
      ++num_unreadable;
    }
  }
  EXPECT_GE(num_unreadable, 1);
  EXPECT_LE(num_unreadable, kNumSteps / 5);
  EXPECT_THROW(reader.verify(), InputError);
}

TEST_F(RunReaderTest, DamagedBytesNeverCrash) {
  const std::string good = read_bytes(path_);
  const std::string bad_path = folder_.file("bad.h5");
  const RandomStream random(5);
  int num_refused = 0;
  const int num_trials = 100 * test_scale();
  for (int i = 0; i < num_trials; ++i) {
    std::string bad = good;
    // All in one page, so that the seal of the header does not catch every trial.
    constexpr std::uint32_t kWindow = 4096;
    const auto begin = random.index(20 * i + 16, static_cast<std::uint32_t>(bad.size()) - kWindow);
    for (int j = 0; j < 8; ++j) {
      bad[begin + random.index(20 * i + 2 * j, kWindow)] =
          static_cast<char>(random.index(20 * i + 2 * j + 1, 256));
    }
    write_bytes(bad_path, bad);
    const pid_t child = fork();
    if (child == 0) {
      try {
        read_everything(bad_path);
      } catch (const InputError&) {
        _exit(2);
      }
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status)) << "trial " << i << " died of signal " << WTERMSIG(status);
    num_refused += WEXITSTATUS(status) == 2 ? 1 : 0;
  }
  EXPECT_GT(num_refused, num_trials / 10);
}

TEST_F(RunReaderTest, SummaryIsThatOfTheSteps) {
  const RunSummary summary = summarize(RunReader(path_));
  double worst = 0.0;
  double friction = 0.0;
  for (std::int64_t step = 1; step <= kNumSteps; ++step) {
    worst = std::max(worst, make_fake_report(step).certificate.residual);
    friction += make_fake_report(step).ledger.work[contact::Ledger::kFriction];
  }
  EXPECT_EQ(summary.worst_residual, worst);
  EXPECT_EQ(summary.work[contact::Ledger::kFriction], friction);
  EXPECT_EQ(summary.t_begin, 0.0);
  EXPECT_EQ(summary.t_end, make_fake_report(kNumSteps).t);
  EXPECT_EQ(summary.num_failed_certificates, kNumSteps / 2);
  EXPECT_EQ(summary.most_contacts, 10);
}

TEST(Csv, CellsAreQuotedAndNeverFormulas) {
  EXPECT_EQ(csv_cell("ball"), "ball");
  EXPECT_EQ(csv_cell("=cmd()"), "'=cmd()");
  EXPECT_EQ(csv_cell("@x,y"), "\"'@x,y\"");
  EXPECT_EQ(csv_cell("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(csv_cell(""), "");
}

TEST_F(RunReaderTest, CsvHasEveryRow) {
  const RunReader reader(path_);
  const auto lines = [&](CsvTable table) {
    std::ostringstream out;
    write_csv(reader, table, &out);
    const std::string text = out.str();
    return std::count(text.begin(), text.end(), '\n') - 1;
  };
  EXPECT_EQ(lines(CsvTable::kFrames), reader.num_frames() * 3);
  EXPECT_EQ(lines(CsvTable::kSteps), kNumSteps);
  EXPECT_EQ(lines(CsvTable::kContacts), reader.num_contacts());
  EXPECT_EQ(lines(CsvTable::kReactions), reader.num_reactions());
  EXPECT_GT(reader.num_reactions(), 0);
  std::ostringstream steps;
  write_csv(reader, CsvTable::kSteps, &steps);
  EXPECT_EQ(steps.str().rfind("step,t,status,solver,passed,residual", 0), 0u);
  EXPECT_NE(steps.str().find("\r\n1,0.001,solver_failed,ray,0,"), std::string::npos);
}

}  // namespace
}  // namespace tenpin::record
