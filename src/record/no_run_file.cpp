// Replaces run_file_input.cpp and run_file_output.cpp in builds without HDF5, for web pages, which
// have no files.
#include "record/record_error.h"
#include "record/run_file.h"

namespace tenpin::record {

std::unique_ptr<RunOutput> make_run_file(const std::string& path, const RunHeader& /*header*/) {
  throw RecordError(path + ": this program was built without HDF5 and cannot write run files");
}

std::unique_ptr<RunInput> open_run_file(const std::string& path) {
  throw RecordError(path + ": this program was built without HDF5 and cannot read run files");
}

}  // namespace tenpin::record
