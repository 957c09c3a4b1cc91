// The impact at one contact in three dimensions, followed in the impulse domain.
// [MC95, §Sliding mode], [MC95, §Sticking mode], [M11, §4.2]
// While the contact slides, the path is a chain of power series (slip_series.h). Along rays, while
// sticking and after the slip has vanished, it is straight and followed in closed form.
#pragma once

#include <array>
#include <vector>

#include "impact/law.h"
#include "impact/slip_series.h"

namespace tenpin::impact {

struct SpatialContact {
  Mat3 W;  // 1/kg   J M^-1 J', symmetric positive semidefinite, W(2, 2) > 0
  Vec3 v;  // m/s    contact velocity before; z along the normal, negative when approaching
};

enum class SlipMode { kFrictionless, kSlide, kSlideIn, kStick, kSlideOut };

// The mode as text: frictionless, slide, slide-in, stick, slide-out.
[[nodiscard]] std::string_view to_string(SlipMode mode);

struct SpatialImpact {
  ImpactStatus status = ImpactStatus::kSolved;
  SpatialPoint start, compression, end;
  std::array<SlipMode, 2> modes = {};  // before and after the slip vanished
  int num_modes = 0;
  double slip_end = -1.0;  // N s   normal impulse at which slip vanished, -1 if it did not
  bool slip_ends_in_compression = false;
  Vec2 out_direction = Vec2::Zero();  // -   direction in which slip resumed, if it did
  int num_recompressions =
      0;  // how often v_z became negative again; the law uses the last compression
  int num_series = 0;
};

// If `trace` is not null, it receives points along the path, including its corners: enough to draw
// the path, or only the ends of its segments to certify it.
enum class TraceDetail { kDrawing, kEnds };
[[nodiscard]] SpatialImpact solve_spatial(const SpatialContact& contact, const Surface& surface,
                                          std::vector<SpatialPoint>* trace = nullptr,
                                          TraceDetail detail = TraceDetail::kDrawing);

}  // namespace tenpin::impact
