#include "lab/viewer_page.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "lab/viewer_arrays.h"
#include "lab/viewer_curves.h"
#include "lab/viewer_frames.h"
#include "lab/viewer_header.h"
#include "lab/viewer_template.h"
#include "record/summary.h"
#include "record/whole_file.h"

namespace tenpin::lab {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kHeaderPlace = "<!--HEADER-->";
constexpr std::string_view kArraysPlace = "<!--ARRAYS-->";

Json pack_run(const record::RunReader& run, const ViewerPageOptions& options, ArrayPacker* packer) {
  Json json = make_viewer_header(run.header(), packer);
  json["firedEvents"] = record::list_fired_events(run);
  pack_start(run, packer);
  const auto num_movers = static_cast<std::int64_t>(find_movers(run.header()).size());
  const std::int64_t pose_bytes = run.num_frames() * num_movers * kPoseBytes;
  FrameRange range{.end = run.num_frames()};
  range.stride = 1 + std::max<std::int64_t>(0, pose_bytes - 1) / options.max_pose_bytes;
  const std::int64_t twist_bytes = run.num_frames() / range.stride * num_movers * kTwistBytes;
  const FrameChoice choice{.with_twists = twist_bytes <= options.max_twist_bytes,
                           .max_contact_bytes = options.max_contact_bytes};
  json["frameStride"] = range.stride;
  json["contactStride"] = pack_frames(run, range, choice, packer);
  Curves curves(options.max_curve_points);
  curves.read_on(run);
  curves.pack(packer);
  json["stepColumns"] = list_curves(curves);
  json["stepStride"] = curves.stride();
  json["verdict"] = make_viewer_verdict(run.status(), curves.summary());
  if (!options.comparison.empty()) json["comparison"] = Json::parse(options.comparison);
  json["arrays"] = list_arrays(*packer);
  return json;
}

std::string join_template() {
  std::string page;
  for (const std::string_view piece : viewer_template()) page += piece;
  TENPIN_REQUIRE(!page.empty(), "this tenpin was built without the viewer (TENPIN_VIEWER=OFF)");
  return page;
}

// Fills the two placeholders of the page.
std::string fill_template(const std::string& header, const std::string& arrays) {
  const std::string page = join_template();
  const std::size_t header_at = page.find(kHeaderPlace);
  const std::size_t arrays_at = page.find(kArraysPlace);
  TENPIN_DEMAND(header_at < arrays_at && arrays_at != std::string::npos);
  const std::size_t after_header = header_at + kHeaderPlace.size();
  std::string result;
  result.reserve(page.size() + header.size() + arrays.size());
  result.append(page, 0, header_at).append(header);
  result.append(page, after_header, arrays_at - after_header).append(arrays);
  result.append(page, arrays_at + kArraysPlace.size());
  return result;
}

}  // namespace

ViewerContents make_viewer_contents(const record::RunReader& run,
                                    const ViewerPageOptions& options) {
  TENPIN_REQUIRE(run.num_frames() > 0, run.path() + ": has no frame to show");
  ArrayPacker packer;
  std::string header = to_script_text(pack_run(run, options, &packer));
  return {.header = std::move(header), .arrays = encode_base64(packer.finish())};
}

std::string make_viewer_page(const record::RunReader& run, const ViewerPageOptions& options) {
  const ViewerContents contents = make_viewer_contents(run, options);
  return fill_template(contents.header, contents.arrays);
}

std::string make_streaming_page() {
  return fill_template("null", "");
}

void write_viewer_page(const record::RunReader& run, const std::string& path,
                       const ViewerPageOptions& options) {
  record::write_whole_file(path, make_viewer_page(run, options));
}

}  // namespace tenpin::lab
