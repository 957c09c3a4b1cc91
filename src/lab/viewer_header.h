// The data that the viewer's page needs before its first frame, as JSON: docs/viewer.md, "The
// page's format".
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "lab/viewer_arrays.h"
#include "lab/viewer_curves.h"
#include "record/run_reader.h"

namespace tenpin::lab {

// Names, bodies, materials and shapes. Arrays of the parts are added to the packer.
[[nodiscard]] nlohmann::json make_viewer_header(const record::RunHeader& header,
                                                ArrayPacker* packer);

// How the run ended, and a summary of its steps.
[[nodiscard]] nlohmann::json make_viewer_verdict(const record::RunStatus& status,
                                                 const CurveSummary& summary);

// Names of the curves, in order.
[[nodiscard]] nlohmann::json list_curves(const Curves& curves);

// The position of each array in the packer's stream.
[[nodiscard]] nlohmann::json list_arrays(const ArrayPacker& packer);

// JSON for a script of the page. Names come from untrusted files: bytes that are not UTF-8 are
// replaced, and no `<` can reach the markup of a page.
[[nodiscard]] std::string to_script_text(const nlohmann::json& json);

}  // namespace tenpin::lab
