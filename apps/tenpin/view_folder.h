// `tenpin view FOLDER`: one page for all results in a folder.
#pragma once

#include "view.h"

namespace tenpin::app {

// `options.run_file` is the folder. With `html`, writes that page and, in the same folder, the
// missing or outdated pages and reports of the runs; otherwise serves all of them. Returns the exit
// code.
[[nodiscard]] int run_view_folder(const ViewOptions& options);

}  // namespace tenpin::app
