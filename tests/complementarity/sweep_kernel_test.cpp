// The kernels of all instruction sets that this machine has, bit by bit.
#include "complementarity/cone/sweep_kernel.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/hash.h"
#include "complementarity/draw.h"

namespace tenpin::complementarity::cone {
namespace {

constexpr int kNumBatches = 12;
constexpr int kFirstRow = 32;  // rows before that belong to fixed bodies
constexpr int kNumRows = kFirstRow + 40;

// Closed and open, sticking and sliding contacts, some of them without friction. Bodies differ
// within a batch and are shared between batches.
void draw_base(int lane, Draw* draw, BatchBase* batch) {
  for (Lanes& q : batch->q) q[lane] = draw->uniform(-1.0, 0.5);
  batch->softness[0][lane] = draw->uniform(0.01, 0.1);
  batch->softness[1][lane] = draw->uniform(0.01, 0.1);
  batch->mu[lane] = draw->chance(0.2) ? 0.0 : draw->uniform(0.05, 1.5);
  batch->unit[lane] = draw->uniform(0.5, 2.0);
  batch->a[lane] = draw->chance(0.2) ? 0 : kFirstRow + 2 * lane + draw->integer(0, 1);
  batch->b[lane] = kFirstRow + 20 + 2 * lane + draw->integer(0, 1);
}

std::vector<RoundBatch> draw_round_batches(Draw* draw) {
  std::vector<RoundBatch> batches(kNumBatches);
  for (RoundBatch& batch : batches) {
    for (int lane = 0; lane < kNumLanes; ++lane) {
      draw_base(lane, draw, &batch);
      const double angle = draw->uniform(0.0, 6.0);
      batch.n[0][lane] = std::cos(angle);
      batch.n[1][lane] = std::sin(angle);
      batch.t1[0][lane] = -std::sin(angle);
      batch.t1[1][lane] = std::cos(angle);
      const bool is_fixed = batch.a[lane] == 0;
      batch.linear[0][lane] = is_fixed ? 0.0 : -0.7;
      batch.spin[0][lane] = is_fixed ? 0.0 : 0.5;
      batch.linear[1][lane] = 0.6;
      batch.spin[1][lane] = 0.4;
      batch.inverse[0][lane] = 0.9;
      batch.inverse[1][lane] = 0.7;
    }
  }
  return batches;
}

std::vector<ContactBatch> draw_contact_batches(Draw* draw) {
  std::vector<ContactBatch> batches(kNumBatches);
  for (ContactBatch& batch : batches) {
    for (int lane = 0; lane < kNumLanes; ++lane) {
      draw_base(lane, draw, &batch);
      double own[3][3] = {};
      for (int i = 0; i < kBodySize; ++i) {
        double rows[2][3] = {};
        for (int k = 0; k < 3; ++k) {
          if (batch.a[lane] > 0) rows[0][k] = draw->uniform(-1.0, 1.0);
          rows[1][k] = draw->uniform(-1.0, 1.0);
          batch.J_a[k][i][lane] = rows[0][k];
          batch.J_b[k][i][lane] = rows[1][k];
        }
        for (int k = 0; k < 3; ++k) {
          for (int m = 0; m < 3; ++m)
            own[k][m] += rows[0][k] * rows[0][m] + rows[1][k] * rows[1][m];
        }
      }
      for (int k = 0; k < 3; ++k) own[k][k] += batch.softness[k == 0 ? 0 : 1][lane];
      const double block[6] = {own[0][0], own[0][1], own[0][2], own[1][1], own[1][2], own[2][2]};
      for (int k = 0; k < 6; ++k) batch.D[k][lane] = block[k];
      batch.inverse_normal[lane] = 1.0 / block[0];
    }
  }
  return batches;
}

// All numbers that a few sweeps leave, as one hash, and the largest errors.
struct Outcome {
  std::uint64_t hash = 0;
  std::vector<double> numbers;
};

void add_lanes_to_hash(const Lanes& lanes, Hash* hash) {
  for (const double x : lanes.x) hash->add(x);
}

template <typename Batch, typename Kernels>
Outcome sweep_often(const std::vector<Batch>& batches, const SweepKernels& all,
                    const Kernels& kernels, double start) {
  std::vector<BatchReaction> reactions(batches.size());
  for (BatchReaction& reaction : reactions) reaction.r[0] = Lanes{{start, 0.0, 0.1, start}};
  std::vector<BodyMotion> bodies(kNumRows);
  const SweepSpan<Batch> span = {.batches = batches.data(),
                                 .reactions = reactions.data(),
                                 .size = static_cast<int>(batches.size()),
                                 .bodies = bodies.data()};
  Outcome outcome;
  kernels.add(span);
  for (const double momentum : {0.0, 0.3, 0.7, 0.2}) {
    all.lead(bodies.data() + kFirstRow, kNumRows - kFirstRow, momentum);
    outcome.numbers.push_back(kernels.sweep(span, momentum));
    outcome.numbers.push_back(kernels.error(span));
  }
  Hash hash;
  for (const BatchReaction& reaction : reactions) {
    for (int k = 0; k < 3; ++k) {
      add_lanes_to_hash(reaction.r[k], &hash);
      add_lanes_to_hash(reaction.last[k], &hash);
    }
    add_lanes_to_hash(reaction.error, &hash);
  }
  for (const BodyMotion& body : bodies) {
    add_lanes_to_hash(body.v, &hash);
    add_lanes_to_hash(body.last, &hash);
  }
  outcome.hash = hash.value();
  return outcome;
}

template <typename Batch>
struct KernelsOf {
  double (*sweep)(const SweepSpan<Batch>& span, double momentum);
  double (*error)(const SweepSpan<Batch>& span);
  void (*add)(const SweepSpan<Batch>& span);
};

Outcome sweep_round(const std::vector<RoundBatch>& batches, const SweepKernels& k, double start) {
  const KernelsOf<RoundBatch> kernels = {k.sweep_round, k.error_round, k.add_round};
  return sweep_often(batches, k, kernels, start);
}

Outcome sweep_contacts(const std::vector<ContactBatch>& batches, const SweepKernels& k,
                       double start) {
  const KernelsOf<ContactBatch> kernels = {k.sweep_contacts, k.error_contacts, k.add_contacts};
  return sweep_often(batches, k, kernels, start);
}

void expect_same_bits(const Outcome& one, const Outcome& other) {
  EXPECT_EQ(one.hash, other.hash);
  ASSERT_EQ(one.numbers.size(), other.numbers.size());
  for (std::size_t i = 0; i < one.numbers.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(one.numbers[i]),
              std::bit_cast<std::uint64_t>(other.numbers[i]));
  }
}

TEST(SweepKernel, EveryInstructionSetGivesTheSameBits) {
  Draw draw(5);
  const std::vector<RoundBatch> round = draw_round_batches(&draw);
  const std::vector<ContactBatch> contacts = draw_contact_batches(&draw);
  const std::vector<SweepKernels> kernels = list_kernels();
  ASSERT_FALSE(kernels.empty());
  for (const SweepKernels& k : kernels) {
    SCOPED_TRACE(k.name);
    expect_same_bits(sweep_round(round, k, 0.5), sweep_round(round, kernels.front(), 0.5));
    expect_same_bits(sweep_contacts(contacts, k, 0.5),
                     sweep_contacts(contacts, kernels.front(), 0.5));
  }
}

TEST(SweepKernel, SweepsReduceTheError) {
  Draw draw(6);
  const std::vector<ContactBatch> contacts = draw_contact_batches(&draw);
  for (const SweepKernels& k : list_kernels()) {
    const Outcome outcome = sweep_contacts(contacts, k, 0.5);
    EXPECT_GT(outcome.numbers[1], 0.0) << k.name;
    EXPECT_LT(outcome.numbers[7], outcome.numbers[1]) << k.name;
  }
}

TEST(SweepKernel, NotANumberIsNotLost) {
  Draw draw(7);
  const std::vector<RoundBatch> round = draw_round_batches(&draw);
  const std::vector<ContactBatch> contacts = draw_contact_batches(&draw);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const SweepKernels& k : list_kernels()) {
    EXPECT_TRUE(std::isnan(sweep_round(round, k, nan).numbers.back())) << k.name;
    EXPECT_TRUE(std::isnan(sweep_contacts(contacts, k, nan).numbers.back())) << k.name;
  }
}

}  // namespace
}  // namespace tenpin::complementarity::cone
