#include "base/check.h"

#include <gtest/gtest.h>

namespace tenpin {
namespace {

TEST(Check, RequireThrowsItsMessage) {
  try {
    TENPIN_REQUIRE(1 > 2, std::string("mass: got -1"));
    FAIL() << "no throw";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("mass: got -1"), std::string::npos);
  }
  EXPECT_NO_THROW(TENPIN_REQUIRE(2 > 1, "fine"));
}

TEST(CheckDeathTest, DemandAborts) {
  EXPECT_DEATH_IF_SUPPORTED(TENPIN_DEMAND(1 > 2), "demand failed: 1 > 2");
}

}  // namespace
}  // namespace tenpin
