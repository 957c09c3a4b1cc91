// Small scenes made from bytes, ten steps under every method. A step may fail, but it must say so:
// a step that calls itself done has a certificate that passed and a finite state, and takes time
// forwards.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "honest.h"
#include "simulation/public.h"

using namespace tenpin;

namespace {

class Draw {
 public:
  explicit Draw(std::string_view bytes) : bytes_(bytes) {}
  bool is_over() const { return next_ >= bytes_.size(); }
  int below(int count) {
    return is_over() ? 0 : static_cast<unsigned char>(bytes_[next_++]) % count;
  }
  double between(double low, double high) { return low + (high - low) * below(256) / 255.0; }
  std::string vector(double most) {
    return fmt::format("[{}, {}, {}]", between(-most, most), between(-most, most),
                       between(-most, most));
  }

 private:
  std::string_view bytes_;
  std::size_t next_ = 0;
};

std::string make_shape(Draw* draw) {
  const int kind = draw->below(5);
  const double a = std::exp(draw->between(-5.0, 0.5)), b = std::exp(draw->between(-5.0, 0.5));
  if (kind == 0) return fmt::format("{{sphere: {{radius: {}}}}}", a);
  if (kind == 1) return fmt::format("{{box: {{half: [{}, {}, {}]}}}}", a, b, a);
  if (kind == 2) return fmt::format("{{capsule: {{radius: {}, length: {}}}}}", a, b);
  if (kind == 3) return fmt::format("{{cylinder: {{radius: {}, length: {}}}}}", a, b);
  return fmt::format(
      "{{polyhedron: {{points: [[0, 0, 0], [{0}, 0, 0], [0, {1}, 0], [0, 0, {0}]]}}}}", a, b);
}

std::string make_body(int k, Draw* draw) {
  constexpr int kNumJoints = 5;
  constexpr std::array<std::string_view, kNumJoints> kJoints = {
      "", "", "hinge: {axis: [0, 1, 0], anchor: [0.1, 0, 0.2]}",
      "slider: {axis: [1, 0, 0], limits: [-0.1, 0.1]}", "ball: {anchor: [0, 0, 0.2]}"};
  const std::string_view joint = kJoints[draw->below(kNumJoints)];
  std::string text = fmt::format("  - {{name: b{}, material: m, density: {}, position: {}", k,
                                 std::exp(draw->between(0.0, 10.0)), draw->vector(1.0));
  if (!joint.empty()) {
    const int parent = draw->below(k + 1);
    text += fmt::format(", parent: {}, joint: {{{}}}",
                        parent == k ? "world" : fmt::format("b{}", parent), joint);
  } else {
    text +=
        fmt::format(", velocity: {}, angular_velocity: {}", draw->vector(10.0), draw->vector(10.0));
  }
  return text + fmt::format(", shapes: [{}]}}\n", make_shape(draw));
}

void run(const std::string& text, const std::string& method) {
  fuzz::is_accepted([&] {
    Simulation simulation(Scene::parse(text, "fuzz", {.method = method}));
    for (int k = 0; k < 10; ++k) {
      const double t = simulation.time();
      const StepReport& report = simulation.step();
      fuzz::demand(simulation.q().allFinite() && simulation.v().allFinite());
      fuzz::demand(simulation.time() >= t && (!report.ok() || report.certificate.passed));
      if (!report.ok()) return;
    }
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  Draw draw(fuzz::to_text(bytes, size));
  std::string text = fmt::format(
      "tenpin: 1\nuntil: 1\ngravity: [0, 0, {}]\nmaterials: {{m: {{friction: {}, restitution: "
      "{}}}}}\n"
      "method: {{time-stepping: {{step: {}}}}}\nbodies:\n"
      "  - {{name: floor, fixed: true, material: m, shapes: [{{plane: {{normal: [0, 0, 1]}}}}]}}\n",
      draw.between(-20.0, 0.0), draw.between(0.0, 1.5), draw.between(0.0, 1.0),
      std::exp(draw.between(-9.0, -2.0)));
  for (int k = 0; k < 5 && !draw.is_over(); ++k) text += make_body(k, &draw);
  for (const char* method : {"time-stepping", "impulse", "analytic", "penalty"}) run(text, method);
  return 0;
}
