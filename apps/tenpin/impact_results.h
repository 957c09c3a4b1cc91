// Solves and checks impacts, and prints their results as JSON and as lines of a table.
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

// Solves a case. A law that the user chose takes precedence over the file's. Without either,
// three-dimensional impacts are solved by every law; collisions of rows always follow Newton's law.
[[nodiscard]] PlanarResult solve_case(const PlanarCase& c, std::optional<impact::Law> law);
[[nodiscard]] std::vector<SpatialResult> solve_case(const SpatialCase& c,
                                                    std::optional<impact::Law> law);
[[nodiscard]] CollisionResult solve_case(const CollisionCase& c);

// Describes what is wrong with a result; empty if nothing is.
[[nodiscard]] std::string find_fault(const PlanarResult& result);
[[nodiscard]] std::string find_fault(const SpatialResult& result);
[[nodiscard]] std::string find_fault(const CollisionResult& result);

// Uses the same names of fields as files of cases.
[[nodiscard]] nlohmann::ordered_json to_json(const PlanarCase& c, const PlanarResult& result);
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<SpatialResult>& results);
[[nodiscard]] nlohmann::ordered_json to_json(const CollisionCase& c, const CollisionResult& result);

// A line with kind, law, mode, impulse, energy change, and worst number of the certificate.
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
