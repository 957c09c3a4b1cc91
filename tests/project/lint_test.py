#!/usr/bin/env python3
"""The checks of tools/ against small trees with known faults: a check that finds none is no check."""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import check_layers  # noqa: E402
import check_playground  # noqa: E402
import class_sizes  # noqa: E402
import determinism  # noqa: E402
import equations  # noqa: E402
import gallery  # noqa: E402
import lint  # noqa: E402
import tidy  # noqa: E402

LAYERS = "base :\nmath : base\nmethods : base math\n"
BIB = "@article{ST00,\n  title = {An {Implicit} Scheme},\n}\n"


class TreeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file


class Playground(TreeTest):
    def problems(self, only, page='"lab/a.h"'):
        self.write("CMakeLists.txt", "tenpin_module(base EXTERNAL fmt::fmt)\ninclude(TenpinPlayground)\ntenpin_module(gpu)\n")
        self.write("cmake/TenpinPlayground.cmake", f'tenpin_module(lab PRIVATE zlib ONLY "{only}")\n')
        self.write("src/base/c.cpp", '#include "base/c.h"\n')
        self.write("src/lab/a.h", '#include "lab/types/b.h"\n#include "base/c.h"\n')
        self.write("src/lab/a.cpp", '#include "lab/a.h"\n')
        self.write("src/lab/types/b.h", "")
        self.write("src/lab/types/b.cpp", '#include "lab/types/b.h"\n')
        self.write("apps/playground/engine.cpp", f"#include {page}\n")
        return list(check_playground.problems(self.root))

    def test_lets_whole_lists_pass(self):
        self.assertEqual(self.problems("(a|types/(b)).cpp"), [])

    def test_finds_a_source_that_only_a_header_names(self):
        self.assertEqual(self.problems("a.cpp"),
                         ["src/lab/a.h:1: no source of lab/types/b.h is in cmake/TenpinPlayground.cmake"])

    def test_finds_a_pattern_without_a_file(self):
        self.assertEqual(self.problems("(a|types/(b|z)).cpp"),
                         ["cmake/TenpinPlayground.cmake: types/z.cpp fits no file of src/lab"])

    def test_finds_a_library_and_a_module_that_are_not_there(self):
        where = "apps/playground/engine.cpp:1: the wasm build has no "
        self.assertEqual(self.problems("(a|types/b).cpp", "<boost/asio/ip/tcp.hpp>"), [where + "boost/asio/ip/tcp.hpp"])
        self.assertEqual(self.problems("(a|types/b).cpp", '"gpu/g.h"'), [where + "module gpu"])


class Layers(TreeTest):
    def problems(self, path, include):
        self.write("src/layers.txt", LAYERS)
        self.write(path, f"// A file.\n#include {include}\n")
        return list(check_layers.problems(self.root))

    def test_allows_what_the_table_names(self):
        self.assertEqual(self.problems("src/math/a.h", '"base/check.h"'), [])
        self.assertEqual(self.problems("src/math/a.h", "<vector>"), [])
        self.assertEqual(self.problems("src/math/a.h", "<Eigen/Core>"), [])

    def test_finds_an_upward_include(self):
        found = self.problems("src/base/a.h", '"math/types.h"')
        self.assertEqual(found, ["src/base/a.h:2: base may not include math"])

    def test_finds_a_relative_include(self):
        self.assertEqual(len(self.problems("src/math/a.h", '"../base/check.h"')), 1)

    def test_finds_one_method_in_another(self):
        found = self.problems("src/methods/impulse/a.h", '"methods/time_stepping/b.h"')
        self.assertEqual(len(found), 1)

    def test_finds_a_library_outside_its_folder(self):
        self.assertEqual(len(self.problems("src/methods/a.cpp", "<Eigen/Dense>")), 1)
        self.assertEqual(len(self.problems("src/methods/a.cpp", "<hdf5.h>")), 1)
        self.assertEqual(len(self.problems("src/methods/a.cpp", "<unheard/of.hpp>")), 1)

    def test_refuses_a_cycle(self):
        self.write("src/layers.txt", "base : math\nmath : base\n")
        with self.assertRaises(SystemExit):
            list(check_layers.problems(self.root))


class ClassSizes(TreeTest):
    SOURCE = '''
// struct InComment { int a; };
class Small final : public Base {
 public:
  explicit Small(int a) : a_(a), names_{"x;", "y"} {}
  ~Small() override = default;
  Small(const Small&) = delete;
  Small& operator=(const Small&) = delete;
  enum class Kind { kOne, kTwo };
  struct Inner {
    double x = 0.0, y = f(1, 2);
  };
  [[nodiscard]] int size() const { return a_; }
  template <typename T>
  void run(const std::function<void(int)>& work, T more) {
    if (more) { work(a_); }
  }
  static int make(int a, int b);

 private:
  static constexpr int kMax = 3;
  using Map = std::map<int, std::vector<int>>;
  int a_ = 0;
  std::function<void(int, int)> call_;
  std::array<std::pair<int, int>, 3> pairs_ = {{{1, 2}}}, others_;
  std::vector<const char*> names_;
};
'''

    def test_counts_members_and_functions(self):
        sizes = {size.name: size for size in class_sizes.class_sizes(self.SOURCE)}
        self.assertEqual(list(sizes), ["Small", "Inner"])
        self.assertEqual((sizes["Small"].members, sizes["Small"].functions), (5, 3))
        self.assertEqual((sizes["Inner"].members, sizes["Inner"].functions), (2, 0))
        self.assertEqual(sizes["Small"].line, 3)

    def test_finds_large_classes(self):
        members = "".join(f"  int m{i}_;\n" for i in range(21))
        functions = "".join(f"  void f{i}();\n" for i in range(26))
        self.write("src/a.h", f"class A {{\n  void f();\n{members}}};\nclass B {{\n{functions}}};\n")
        self.write("src/b.h", f"struct Plain {{\n{members}}};\n")
        self.assertEqual(list(lint.classes(self.root)),
                         ["src/a.h:1: A has 21 members and 1 functions, at most 20 and 25",
                          "src/a.h:25: B has 0 members and 26 functions, at most 20 and 25"])


class Lint(TreeTest):
    def test_length(self):
        self.write("src/long.cpp", "\n" * 601)
        self.write("src/short.cpp", "\n" * 600)
        self.assertEqual(list(lint.lengths(self.root)),
                         ["src/long.cpp:601: 601 lines, at most 600"])

    def test_stilted_words(self):
        self.write("src/a.cpp", "int an" "ew = 0;  // Solved an" "ew.\n")
        self.write("docs/b.md", "Who" "ever reads this.\n")
        self.assertEqual(list(lint.words(self.root)),
                         ["docs/b.md:1: Who" "ever, better: a body that, a caller that",
                          "src/a.cpp:1: an" "ew, better: again"])

    def test_terms(self):
        self.write("src/a.h", "// Each loose\n// body is an island.\n")
        self.write("docs/glossary.md", "| term | meaning | where |\n|---|---|---|\n"
                   "| loose body, island | x | [a.h](../src/a.h) |\n"
                   "| ledger | x | [a.h](../src/a.h) |\n| key | x | [b.h](../src/b.h) |\n")
        self.assertEqual(list(lint.terms(self.root)),
                         ["docs/glossary.md:4: ledger does not occur in ../src/a.h",
                          "docs/glossary.md:5: key does not occur in ../src/b.h"])

    def test_words(self):
        self.write("a.h", "int x;\n// TO" "DO: y\n")
        self.write("b.md", "see /ho" "me/a/x, not relative/ho" "me/x\n")
        self.write("build/c.h", "// FIX" "ME\n")
        self.assertEqual([p.partition(" ")[0] for p in lint.words(self.root)], ["a.h:2:", "b.md:1:"])

    def test_links(self):
        self.write("docs/a.md", "[there](b.md#part), [web](https://x.y), [self](#part)\n"
                   "```\n[code](no.md)\n```\n[gone](no.md)\n")
        self.write("docs/b.md", "")
        self.assertEqual(list(lint.links(self.root)), ["docs/a.md:5: no file no.md"])


class Gallery(TreeTest):
    def test_page_has_scenes_and_experiments_with_the_pictures_there_are(self):
        self.write("scenes/ball.yaml", "# A ball\n# falls.\ntenpin: 1\nname: Ball\n")
        self.write("scenes/rod.yaml", "tenpin: 1\nname: Rod\n")
        self.write("docs/images/scenes/ball.png", "")
        self.write("experiments/ST00/rod/expected.json", "{}")
        self.write("experiments/ST00/rod/README.md", "# The rod\n\nIt falls\nand turns.\n\nMore.\n")
        page = gallery.make_page(self.root)
        self.assertIn("### Ball\n\n![Ball](images/scenes/ball.png)\n\nA ball falls.\n", page)
        self.assertIn("### Rod\n\n\n\n    tenpin run scenes/rod.yaml", page)
        self.assertIn("(../experiments/ST00/rod/README.md)\n\nIt falls\nand turns.\n", page)
        self.assertNotIn("More.", page)
        self.assertEqual(gallery.list_missing(self.root), ["rod"])


class Equations(TreeTest):
    # The tags are broken in two here, lest the real page list this file.
    def test_page_lists_items_in_order(self):
        self.write("docs/references.bib", BIB)
        self.write("src/a.h", "// [ST" "00, eq. (13)-(17); §3.1]\n// [ST" "00, eq. (5), errata]\n")
        self.write("tests/a_test.cpp", "// [ST" "00, eq. (5), errata]\n")
        rows = [line for line in equations.make_page(self.root).splitlines() if "a.h" in line]
        self.assertEqual([row.split(" | ")[0] for row in rows],
                         ["| eq. (5), errata", "| eq. (13)-(17)", "| §3.1"])
        self.assertIn("[a_test.cpp](../tests/a_test.cpp)", rows[0])
        self.assertNotIn("a_test.cpp", rows[1])

    def test_joins_a_tag_that_a_line_break_divides(self):
        self.write("docs/references.bib", BIB)
        self.write("src/a.h", "// See [ST" "00, eq.\n  // (5)] and [ST" "00,\n// §3.1].\n")
        page = equations.make_page(self.root)
        self.assertIn("| eq. (5) | [a.h]", page)
        self.assertIn("| §3.1 | [a.h]", page)

    def test_title_comes_from_the_bibliography(self):
        self.write("docs/references.bib", BIB)
        self.assertEqual(equations.read_references(self.root), {"ST00": "An Implicit Scheme"})


class Determinism(TreeTest):
    def program(self, name, script):
        file = self.write(name, "#!/bin/sh\n" + script)
        file.chmod(0o755)
        return file

    def differing(self, *scripts):
        programs = {f"p{i}": self.program(f"p{i}", s) for i, s in enumerate(scripts)}
        with contextlib.redirect_stdout(io.StringIO()):
            found = determinism.disagreements(programs, [pathlib.Path("s.yaml")], [(1, None), (2, None)],
                                             {"": []}, 1)
            return [groups for _, groups in found]

    def test_agreement(self):
        says = """echo '{"state_hash": "0123456789abcdef"}'"""
        self.assertEqual(self.differing(says, says), [])

    def test_programs_that_differ(self):
        says = """echo '{"state_hash": "%s"}'"""
        (groups,) = self.differing(says % ("0" * 16), says % ("1" * 16))
        self.assertEqual(len(groups), 2)

    def test_thread_counts_that_differ(self):
        # The last argument is the number of threads.
        says = """for n; do :; done; echo "{\\"state_hash\\": \\"000000000000000$n\\"}" """
        (groups,) = self.differing(says)
        self.assertEqual(len(groups), 2)

    def test_failing_alike_is_not_agreement(self):
        self.assertEqual(len(self.differing("exit 2", "exit 2")), 1)


class Tidy(unittest.TestCase):
    def test_a_batch_defines_each_name_once(self):
        files = tidy.files_to_check()
        batches = tidy.make_batches(files)
        self.assertEqual(sorted(p for batch in batches for p in batch), sorted(files))
        for batch in batches:
            names = [name for path in batch for name in tidy.defined_names(path)]
            self.assertEqual(len(names), len(set(names)))


if __name__ == "__main__":
    unittest.main()
