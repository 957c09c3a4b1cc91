#pragma once

#include <stdexcept>

namespace tenpin::record {

// A failure of the environment: no such folder, no permission, disk full, file in use. The text
// names the file. A file that exists but is invalid is an InputError instead.
class RecordError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tenpin::record
