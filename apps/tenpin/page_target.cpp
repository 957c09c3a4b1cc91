#include "page_target.h"

#include "check_target.h"

namespace tenpin::app {

void check_page_target(const std::string& path) {
  check_target(path, "HTML page", {"<!doctype html>"});
}

}  // namespace tenpin::app
