// The same bits on every machine and device. On a machine with a GPU, the GPU's as well.
#include <gtest/gtest.h>

#include <string>

#include "batch/gpu_batch.h"
#include "batch/worlds.h"

namespace tenpin::test {
namespace {

using batch::kRoom;
using batch::Model;

constexpr int kThrows = 64;
constexpr int kSteps = 200;
// Of both precisions; they change with the steps' arithmetic, and only with that.
constexpr std::uint64_t kDigest64 = 16020991344614592048ULL;
constexpr std::uint64_t kDigest32 = 10840579698209181388ULL;

template <class Real>
std::uint64_t run_throws(bool on_gpu) {
  const TestScene lane = make_lane();
  const std::vector<Model<Real>> models = {batch::convert_model<Real>(lane.batch.model)};
  auto worlds = make_throws<Real>(lane, kThrows);
  if (on_gpu) {
    const batch::CudaDevice device;
    batch::GpuBatch<Real> gpu(device);
    gpu.upload(std::span<const Model<Real>>(models), worlds);
    gpu.run(kSteps);
    gpu.download(worlds);
  } else {
    batch::run_on_cpu<Real, kRoom>(std::span<const Model<Real>>(models), kSteps, Workers(1),
                                   worlds);
  }
  return calc_digest(worlds);
}

TEST(BatchGolden, ThrowsHaveTheseBits) {
  EXPECT_EQ(run_throws<double>(false), kDigest64);
  EXPECT_EQ(run_throws<float>(false), kDigest32);
}

TEST(BatchGolden, GpuHasTheBitsOfTheCpu) {
  try {
    batch::demand_gpu();
  } catch (const batch::DeviceError& error) {
    GTEST_SKIP() << error.what();
  }
  EXPECT_EQ(run_throws<double>(true), kDigest64);
  EXPECT_EQ(run_throws<float>(true), kDigest32);
}

// The PTX shows the properties that make CPU and GPU agree to the bit and keep memory access fast.
template <class Real>
class KernelTest : public testing::Test {};
using Reals = testing::Types<double, float>;
TYPED_TEST_SUITE(KernelTest, Reals);

TYPED_TEST(KernelTest, RoundsAsTheCpuDoes) {
  const std::string ptx(batch::get_kernels<TypeParam>());
  if (ptx.empty()) GTEST_SKIP() << "built without clang";
  const auto has = [&](const std::string& text) {
    return ptx.find(text) != std::string::npos;
  };
  const std::string type = sizeof(TypeParam) == 8 ? ".f64" : ".f32";
  for (const char* operation : {"add.rn", "mul.rn", "div.rn", "sqrt.rn"}) {
    EXPECT_TRUE(has(operation + type)) << operation;
  }
  for (const char* operation : {"fma.", "mad.f", ".approx", ".ftz", "ex2.", "sin."}) {
    EXPECT_FALSE(has(operation)) << operation;
  }
  EXPECT_TRUE(has(".entry step_worlds"));
  EXPECT_TRUE(has(".entry check_worlds"));
}

TYPED_TEST(KernelTest, KnowsWhereItsMemoryIs) {
  const std::string ptx(batch::get_kernels<TypeParam>());
  if (ptx.empty()) GTEST_SKIP() << "built without clang";
  // A generic access names no space: "ld.f64", "st.u32".
  for (const char* generic : {"ld.f", "ld.u", "ld.b", "ld.s32", "st.f", "st.u", "st.b"}) {
    EXPECT_EQ(ptx.find(generic), std::string::npos) << generic;
  }
}

}  // namespace
}  // namespace tenpin::test
