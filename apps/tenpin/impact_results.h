// Impacts solved and checked, and their results as JSON and as lines of a table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "impact/certify.h"
#include "impact_cases.h"

namespace tenpin::app {

struct PlanarResult {
  impact::Surface surface;
  impact::PlanarImpact impact;
  impact::ImpactCertificate certificate;
};

struct SpatialResult {
  impact::Surface surface;
  impact::SpatialImpact impact;
  std::vector<impact::SpatialPoint> trace;
  impact::ImpactCertificate certificate;
};

struct CollisionResult {
  impact::CollisionSolution simultaneous, propagation;
  impact::ImpactCertificate simultaneous_certificate, propagation_certificate;
};

// A law that the user chose goes before the file's. Without either, three-dimensional impacts are
// solved by every law; collisions of rows follow Newton's always.
[[nodiscard]] PlanarResult solve_case(const PlanarCase& c, std::optional<impact::Law> law);
[[nodiscard]] std::vector<SpatialResult> solve_case(const SpatialCase& c,
                                                    std::optional<impact::Law> law);
[[nodiscard]] CollisionResult solve_case(const CollisionCase& c);

// What is wrong with it, or empty.
[[nodiscard]] std::string find_fault(const PlanarResult& result);
[[nodiscard]] std::string find_fault(const SpatialResult& result);
[[nodiscard]] std::string find_fault(const CollisionResult& result);

// With the names of fields that the files of cases use.
[[nodiscard]] nlohmann::ordered_json to_json(const PlanarCase& c, const PlanarResult& result);
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<SpatialResult>& results);
[[nodiscard]] nlohmann::ordered_json to_json(const CollisionCase& c, const CollisionResult& result);

// kind, law, mode, impulse, energy change, worst of the certificate.
struct ResultLine {
  std::string kind, law, mode;
  double impulse = 0.0;  // N s
  double change = 0.0;   // J
  impact::ImpactCertificate certificate;
};
[[nodiscard]] ResultLine make_line(const PlanarResult& result);
[[nodiscard]] ResultLine make_line(const SpatialResult& result);
[[nodiscard]] std::vector<ResultLine> make_lines(const CollisionCase& c,
                                                 const CollisionResult& result);

}  // namespace tenpin::app
