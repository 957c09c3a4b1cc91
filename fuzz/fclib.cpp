// Friction problems in HDF5. The reader may use a child process: coverage then ends at its border.
#include "record/fclib.h"

#include "folder.h"
#include "honest.h"
#include "record/record_error.h"

using namespace tenpin;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const fuzz::Folder folder;
  const std::string file = folder.write("problem.hdf5", fuzz::to_text(bytes, size));
  fuzz::is_accepted([&] {
    const record::FclibProblem problem = record::read_fclib(file);
    (void)record::make_local_form(problem, file);
  });
  return 0;
}
