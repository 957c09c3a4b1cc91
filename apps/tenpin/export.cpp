#include "export.h"

#include <fmt/format.h>

#include <cstdio>
#include <set>

#include "base/check.h"
#include "check_target.h"
#include "exit_codes.h"
#include "export_picture.h"
#include "lab/gltf.h"
#include "lab/quantities.h"
#include "print.h"
#include "record/run_reader.h"
#include "record/whole_file.h"

namespace tenpin::app {

namespace {

using lab::Quantity;
using record::RunReader;

constexpr std::string_view kHdf5Start = "\x89HDF\r\n\x1a\n";

// Bodies and joints are many and have the same quantities each: those once, then the names.
void print_list(const RunReader& run) {
  std::set<std::string> listed;
  const auto print_once = [&listed](const std::string& name, const std::string& unit) {
    if (listed.insert(name).second) print(stdout, "{:<36} {}\n", name, unit);
  };
  for (const Quantity& q : lab::list_quantities(run)) {
    const bool is_of_body = q.name.starts_with("bodies.") || q.name.starts_with("joints.");
    print_once(is_of_body
                   ? q.name.substr(0, q.name.find('.')) + ".NAME" + q.name.substr(q.name.rfind('.'))
                   : q.name,
               q.unit);
  }
  print_once("pairs.NAME+NAME.force", "N");
  print_once("pairs.NAME+NAME.impulse", "N s");
  print_once("pairs.NAME+NAME.distance", "m");
  print(stdout, "\nNAME is one of\n");
  for (const record::HeaderBody& body : run.header().bodies) print(stdout, "  {}\n", body.name);
}

std::vector<Quantity> find_wanted(const ExportOptions& options, const RunReader& run) {
  if (!options.quantities.empty()) return lab::find_quantities(run, options.quantities);
  const std::string bodies = "bodies";
  return lab::find_quantities(run, std::span(&bodies, 1));
}

// Checks all targets before the first one is written.
void check_targets(const ExportOptions& o) {
  const bool has_any = o.list || !(o.csv + o.hdf5 + o.gltf + o.png + o.mp4 + o.gif).empty();
  TENPIN_REQUIRE(has_any,
                 "nothing to do, want --list, --csv, --hdf5, --gltf, --png, --mp4 or --gif");
  // Text has no signature, but our CSV files begin with their time column.
  if (!o.csv.empty() && o.csv != "-") check_target(o.csv, "CSV file", {"t,"});
  if (!o.hdf5.empty()) {
    TENPIN_REQUIRE(o.hdf5 != o.run_file, "--hdf5: same file as the run, got " + o.hdf5);
    check_target(o.hdf5, "HDF5 file", {kHdf5Start});
  }
  if (!o.gltf.empty()) check_target(o.gltf, "glTF file", {"glTF"});
  check_picture_targets(o);
}

}  // namespace

int run_export(const ExportOptions& options) {
  check_targets(options);
  const RunReader run(options.run_file);
  if (options.list) print_list(run);
  if (!options.csv.empty() || !options.hdf5.empty()) {
    const std::vector<Quantity> wanted = find_wanted(options, run);
    if (!options.csv.empty()) {
      const std::string text = lab::make_quantity_csv(run, wanted);
      if (options.csv == "-") {
        print(stdout, "{}", text);
      } else {
        record::write_whole_file(options.csv, text);
      }
    }
    if (!options.hdf5.empty()) lab::write_quantity_arrays(run, wanted, options.hdf5);
  }
  if (!options.gltf.empty()) record::write_whole_file(options.gltf, lab::make_glb(run));
  export_pictures(options, run);
  return kDone;
}

}  // namespace tenpin::app
