#include "shapes/mesh_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "base/check.h"
#include "shapes/convex_mesh.h"

namespace tenpin::shapes {
namespace {

class MeshFile : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/tenpin_mesh_XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    for (const std::string& path : paths_) {
      std::remove(path.c_str());
    }
    rmdir(folder_.c_str());
  }
  std::string path_of(const std::string& name) {
    paths_.push_back(folder_ + "/" + name);
    return paths_.back();
  }
  std::string write(const std::string& name, const std::string& bytes) {
    const std::string path = path_of(name);
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  // The message without the folder; "no error" if the file was read.
  std::string error_of(const std::string& path) {
    try {
      (void)read_mesh_file(path);
    } catch (const InputError& error) {
      const std::string message = error.what();
      return message.starts_with(folder_) ? message.substr(folder_.size() + 1) : message;
    }
    return "no error";
  }
  std::string error_in(const std::string& name, const std::string& bytes) {
    return error_of(write(name, bytes));
  }

 private:
  std::string folder_;
  std::vector<std::string> paths_;
};

void expect_starts(const std::string& text, const std::string& start) {
  EXPECT_TRUE(text.starts_with(start)) << text << "\n  should start with " << start;
}

void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\n  should contain " << part;
}

const char* const kTetrahedron =
    "# a tetrahedron\n"
    "o tetra\n"
    "v 0 0 0\nv +1 0 0 1\nv 0 1e0 0 0.5 0.5 0.5\nv 0 0 1 # tip\n"
    "vn 0 0 1\n"
    "f 1 3 2\nf 1/1 2/2 4/3\nf -3//1 -2//1 -1//1\nf 3/1/1 1/1/1 4/1/1\n";

std::string make_text_stl(const TriangleMesh& mesh) {
  std::string text = "solid ascii\n";
  for (const auto& triangle : mesh.triangles) {
    text += "facet normal 0 0 0\n outer loop\n";
    for (const int v : triangle) {
      const Vec3& p = mesh.vertices[v];
      char line[200];
      std::snprintf(line, sizeof line, "  vertex %g %g %g\n", p.x(), p.y(), p.z());
      text += line;
    }
    text += " endloop\nendfacet\n";
  }
  return text + "endsolid ascii\n";
}

void append_uint32(std::uint32_t value, std::string* bytes) {
  for (int k = 0; k < 4; ++k) {
    *bytes += static_cast<char>(value >> (8 * k) & 0xff);
  }
}

std::string make_binary_stl(const TriangleMesh& mesh, const std::string& header = "binary") {
  std::string bytes = header;
  bytes.resize(80, '\0');
  append_uint32(static_cast<std::uint32_t>(mesh.triangles.size()), &bytes);
  for (const auto& triangle : mesh.triangles) {
    bytes.append(12, '\0');
    for (const int v : triangle) {
      for (int k = 0; k < 3; ++k) {
        append_uint32(std::bit_cast<std::uint32_t>(static_cast<float>(mesh.vertices[v][k])),
                      &bytes);
      }
    }
    bytes.append(2, '\0');
  }
  return bytes;
}

TEST_F(MeshFile, ReadsObjWithAllKindsOfCorners) {
  const TriangleMesh mesh = read_mesh_file(write("a.OBJ", kTetrahedron));
  ASSERT_EQ(mesh.vertices.size(), 4U);
  EXPECT_EQ(mesh.vertices[3], Vec3(0, 0, 1));
  ASSERT_EQ(mesh.triangles.size(), 4U);
  EXPECT_EQ(mesh.triangles[2], (std::array<int, 3>{1, 2, 3}));
  EXPECT_TRUE(check_closed(mesh).closed());
  EXPECT_DOUBLE_EQ(check_closed(mesh).volume, 1.0 / 6.0);
}

TEST_F(MeshFile, ObjPolygonsBecomeFans) {
  const TriangleMesh mesh = parse_obj(
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv .5 .5 1\r\n"
      "f 4 3 2 1\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5");
  EXPECT_EQ(mesh.triangles.size(), 6U);
  EXPECT_TRUE(check_closed(mesh).closed());
}

TEST_F(MeshFile, StlOfEveryKindIsReadAlike) {
  const TriangleMesh obj = weld(parse_obj(kTetrahedron));
  for (const std::string& bytes :
       {make_text_stl(obj), make_binary_stl(obj), make_binary_stl(obj, "solid but binary")}) {
    const TriangleMesh stl = weld(read_mesh_file(write("a.stl", bytes)));
    EXPECT_EQ(stl.triangles.size(), 4U);
    EXPECT_EQ(stl.vertices.size(), 4U);
    EXPECT_DOUBLE_EQ(check_closed(stl).volume, 1.0 / 6.0);
  }
}

TEST_F(MeshFile, ObjErrorsNameLineAndColumn) {
  const std::string tetra = kTetrahedron;
  const std::string corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
  expect_starts(error_in("a.obj", ""), "a.obj:1:1: want vertices");
  expect_starts(error_in("a.obj", "f 1 2 3\n"), "a.obj:1:3: want a vertex number");
  expect_starts(error_in("a.obj", corners),
                "a.obj:5:1: want at least 4 triangles, the faces make 0");
  expect_starts(error_in("a.obj", corners + "f 1 2 3"), "a.obj:5:8: want at least 4 triangles");
  expect_starts(error_in("a.obj", corners + "f 0 1 2\n"), "a.obj:5:3: want a vertex number");
  expect_starts(error_in("a.obj", corners + "f 1 2 -9\n"), "a.obj:5:7: want a vertex number");
  expect_starts(error_in("a.obj", corners + "f 1 99999999 2"), "a.obj:5:5: want a vertex number");
  expect_starts(error_in("a.obj", corners + "f 1 99999999999999999999 2"), "a.obj:5:5: ");
  expect_starts(error_in("a.obj", corners + "f 1 2"), "a.obj:5:6: want at least 3 corners");
  expect_starts(error_in("a.obj", corners + "f 1/x 2 3"), "a.obj:5:3: ");
  expect_starts(error_in("a.obj", corners + "f 1/1/1/1 2 3"), "a.obj:5:3: ");
  expect_starts(error_in("a.obj", tetra + "curv 1 2"), "a.obj:12:1: want an OBJ statement");
  for (const char* bad : {"nan", "inf", "-inf", "1e400", "1,5", "0x1", "1.5f", "2e7"}) {
    expect_starts(error_in("a.obj", "v 0 " + std::string(bad) + " 0\n"),
                  "a.obj:1:5: want a coordinate");
  }
  expect_starts(error_in("a.obj", "v 0 0\n"), "a.obj:1:6: want a coordinate");
  expect_starts(error_in("a.obj", "v 0 0 0 2\n"), "a.obj:1:9: want no weight");
}

TEST_F(MeshFile, StlErrorsAreClear) {
  const TriangleMesh obj = weld(parse_obj(kTetrahedron));
  std::string binary = make_binary_stl(obj);
  expect_has(error_in("a.stl", binary.substr(0, binary.size() - 1)), "count*50+84 != size");
  std::string huge(80, '\0');
  append_uint32(0xffffffff, &huge);
  expect_has(error_in("a.stl", huge),
             "count*50+84 != size: 4294967295 triangles need 214748364834");
  expect_has(error_in("a.stl", ""), "only 0 bytes");
  expect_has(error_in("a.stl", std::string(84, '\0')), "at least 4 triangles, got 0");
  binary.replace(84 + 12, 4, "\xff\xff\xff\x7f");
  expect_has(error_in("a.stl", binary), "triangle 0 has a coordinate nan");

  std::string text = make_text_stl(obj);
  expect_starts(error_in("a.stl", text.substr(0, text.size() - 15)), "a.stl:30:1: want 'facet'");
  expect_starts(error_in("a.stl", "solid a\nendsolid a\n"), "a.stl:2:1: want at least 4 facets");
  expect_starts(error_in("a.stl", "solid a\nfacet normal 0 0 x\n"), "a.stl:2:18: want a number");
  text.replace(text.find("vertex 0"), 8, "vertex 1,5");
  expect_starts(error_in("a.stl", text), "a.stl:4:10: want a coordinate");
}

TEST_F(MeshFile, OnlyRegularReadableFilesOfKnownKind) {
  expect_has(error_of(path_of("absent.obj")), "No such file");
  expect_has(error_of("/dev/zero"), "want .obj or .stl");
  expect_has(error_in("a.ply", ""), "'.ply' is not supported, want .obj or .stl");
  const std::string device = path_of("zero.obj");
  ASSERT_EQ(symlink("/dev/zero", device.c_str()), 0);
  expect_has(error_of(device), "not a regular file");
  const std::string fifo = path_of("fifo.stl");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  expect_has(error_of(fifo), "not a regular file");
  const std::string folder = path_of("folder.obj");
  ASSERT_EQ(mkdir(folder.c_str(), 0700), 0);
  expect_has(error_of(folder), "not a regular file");
  const std::string large = write("large.stl", "");
  ASSERT_EQ(truncate(large.c_str(), static_cast<off_t>(kMaxMeshFileBytes) + 1), 0);
  expect_has(error_of(large), "the limit is 268435456");
}

// Cut or garbled anywhere, a file gives a mesh or an InputError, nothing else.
TEST_F(MeshFile, GarbledInputNeverDoesWorse) {
  const TriangleMesh obj = weld(parse_obj(kTetrahedron));
  const std::vector<std::string> good = {kTetrahedron, make_text_stl(obj), make_binary_stl(obj)};
  for (std::size_t kind = 0; kind < good.size(); ++kind) {
    for (std::size_t at = 0; at < good[kind].size(); ++at) {
      for (const char byte : {'\0', '9', '-', ' ', '\n', '\xff'}) {
        std::string bytes = good[kind];
        bytes[at] = byte;
        try {
          (void)(kind == 0   ? parse_obj(bytes)
                 : kind == 1 ? parse_text_stl(bytes)
                             : parse_binary_stl(bytes));
          bytes.resize(at);
          (void)(kind == 0   ? parse_obj(bytes)
                 : kind == 1 ? parse_text_stl(bytes)
                             : parse_binary_stl(bytes));
        } catch (const InputError&) {
        }
      }
    }
  }
}

TEST(TriangleMesh, CheckClosedTellsWhatIsWrong) {
  const TriangleMesh closed = weld(parse_obj(kTetrahedron));
  TriangleMesh open = closed;
  open.triangles.pop_back();
  EXPECT_EQ(check_closed(open).num_open, 3);
  TriangleMesh flipped = closed;
  std::swap(flipped.triangles[0][0], flipped.triangles[0][1]);
  EXPECT_EQ(check_closed(flipped).num_inverted, 3);
  expect_has(check_closed(flipped).problem(), "winding");
  TriangleMesh inside_out = closed;
  for (auto& triangle : inside_out.triangles) {
    std::swap(triangle[0], triangle[1]);
  }
  expect_has(check_closed(inside_out).problem(), "inside out");
  TriangleMesh fin = closed;
  fin.vertices.emplace_back(2, 2, 2);
  fin.triangles.push_back({0, 1, 4});
  EXPECT_EQ(check_closed(fin).num_non_manifold, 1);
}

TEST(TriangleMesh, HullTellsWhatItAdds) {
  TriangleMesh mesh = weld(parse_obj(kTetrahedron));
  EXPECT_EQ(make_mesh_hull(mesh).note, "");
  EXPECT_EQ(make_mesh_hull(mesh).mesh->num_faces(), 4);
  // A dent: the slanted face replaced by three that meet inside; it halves the volume.
  mesh.vertices.emplace_back(1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0);
  mesh.triangles.erase(mesh.triangles.begin() + 2);
  for (const auto& [a, b] : {std::pair(1, 2), std::pair(2, 3), std::pair(3, 1)}) {
    mesh.triangles.push_back({a, b, 4});
  }
  expect_has(make_mesh_hull(mesh).note, "adds 100 %");
  mesh.triangles.pop_back();
  expect_has(make_mesh_hull(mesh).note, "open");
}

}  // namespace
}  // namespace tenpin::shapes
