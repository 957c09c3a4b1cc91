// Problems as JSON: read, solved as complementarity problems, and read as impacts.
#include "folder.h"
#include "honest.h"
#include "impact_cases.h"
#include "solve_lcp.h"

using namespace tenpin;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const fuzz::Folder folder;
  const std::string file = folder.write("problem.json", fuzz::to_text(bytes, size));
  fuzz::is_accepted([&] {
    (void)app::solve_lcp(
        {.files = {file}, .json = true, .tolerance = {}, .solver = "", .solution = ""});
  });
  fuzz::is_accepted([&] {
    app::ImpactInput input;
    std::vector<std::string> problems;
    app::read_impact_cases(file, &input, &problems);
  });
  return 0;
}
