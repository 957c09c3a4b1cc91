// The bodies of a planar scene, seen along y.
#pragma once

#include <vector>

#include "contact/report.h"
#include "dynamics/model.h"
#include "lab/svg_plot.h"
#include "math/pose.h"

namespace tenpin::lab::experiments {

// What is seen in all drawings of a series, so that they can be compared.
struct View {
  Range x, z;  // m
};

// Everything of the scene but planes, at all those poses, and a little more.
[[nodiscard]] View calc_view(const dynamics::Model& model,
                             const std::vector<std::vector<Pose>>& poses);

// Bodies as outlines, planes as lines across the view.
[[nodiscard]] Plot draw_bodies(const dynamics::Model& model, const std::vector<Pose>& X_WB,
                               const View& view);

// An arrow along a contact's normal, from the contact.
[[nodiscard]] Arrow draw_normal(const Vec3& position, const Vec3& normal, const View& view);

}  // namespace tenpin::lab::experiments
