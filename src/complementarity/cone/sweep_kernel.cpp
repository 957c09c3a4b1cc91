// The kernels are compiled for several instruction sets from the same source, and the best one for
// this machine is used. -ffp-contract=off keeps the results identical.
#include "complementarity/cone/sweep_kernel.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "complementarity/cone/sweep_machines.h"
#include "complementarity/cone/sweep_text.h"

namespace tenpin::complementarity::cone {
namespace {

// The best kernels for this machine, or those named by TENPIN_KERNEL. All give the same bits, which
// tools/determinism.py checks.
SweepKernels choose_kernels() {
  const std::vector<SweepKernels> kernels = list_kernels();
  const char* wanted = std::getenv("TENPIN_KERNEL");
  const auto named = std::find_if(kernels.begin(), kernels.end(), [wanted](const auto& candidate) {
    return wanted != nullptr && candidate.name == std::string_view(wanted);
  });
  return named != kernels.end() ? *named : kernels.back();
}

const SweepKernels& chosen_kernels() {
  static const SweepKernels chosen = choose_kernels();
  return chosen;
}

}  // namespace

std::vector<SweepKernels> list_kernels() {
  std::vector<SweepKernels> kernels = {make_kernels<PairLanes>("baseline")};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) kernels.push_back(make_avx2_kernels());
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
    kernels.push_back(make_avx512_kernels());
  }
#endif
  return kernels;
}

void lead_bodies(std::span<BodyMotion> bodies, double momentum) {
  chosen_kernels().lead(bodies.data(), static_cast<int>(bodies.size()), momentum);
}

double sweep_batches(const RoundSpan& span, double momentum) {
  return chosen_kernels().sweep_round(span, momentum);
}

double sweep_batches(const ContactSpan& span, double momentum) {
  return chosen_kernels().sweep_contacts(span, momentum);
}

void add_reactions(const RoundSpan& span) {
  chosen_kernels().add_round(span);
}

void add_reactions(const ContactSpan& span) {
  chosen_kernels().add_contacts(span);
}

double calc_largest_error(const RoundSpan& span) {
  return chosen_kernels().error_round(span);
}

double calc_largest_error(const ContactSpan& span) {
  return chosen_kernels().error_contacts(span);
}

}  // namespace tenpin::complementarity::cone
