#include "lab/experiments/peer_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

namespace tenpin::lab::experiments {

std::vector<PeerEnds> read_peer_ends(const std::string& folder) {
  std::ifstream file(std::filesystem::path(folder) / "peers.json");
  std::vector<PeerEnds> peers;
  if (!file) return peers;
  const auto document = nlohmann::json::parse(file);
  for (const auto& entry : document.at("engines")) {
    PeerEnds peer{.engine = entry.at("engine").get<std::string>(),
                  .version = entry.value("version", ""),
                  .reason = entry.value("reason", "")};
    for (const auto& end : entry.at("ends")) {
      const auto p = end.at("position").get<std::array<double, 3>>();
      peer.ends.push_back({.rate = end.at("rate").get<int>(), .position = Vec3(p[0], p[1], p[2])});
    }
    peers.push_back(std::move(peer));
  }
  return peers;
}

std::vector<Series> draw_peer_errors(const std::vector<PeerEnds>& peers, const Vec3& limit) {
  constexpr Colour kColours[] = {Colour::kGreen, Colour::kPurple, Colour::kOrange, Colour::kSky,
                                 Colour::kYellow};
  std::vector<Series> curves;
  for (const PeerEnds& peer : peers) {
    if (peer.ends.empty()) continue;
    Series curve{.name = peer.engine,
                 .colour = kColours[curves.size() % std::size(kColours)],
                 .style = Series::Style::kLineAndDots,
                 .dashed = true};
    for (const PeerEnd& end : peer.ends) {
      constexpr double kLeast = 1e-17;  // m   for logarithmic axes
      curve.points.push_back({1.0 / end.rate, std::max((end.position - limit).norm(), kLeast)});
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

Table make_peer_table(const std::vector<PeerEnds>& peers, const Vec3& limit) {
  Table table{.caption =
                  "Other engines on the same scene: how far from the same limit the body "
                  "ends (peers.json, made by bench/peers/run.py --orders)",
              .header = {"engine", "version", "errors at steps per second"}};
  for (const PeerEnds& peer : peers) {
    std::string errors = peer.reason;
    for (const PeerEnd& end : peer.ends) {
      errors += fmt::format("{}{}: {:.2e}", errors.empty() ? "" : ", ", end.rate,
                            (end.position - limit).norm());
    }
    table.rows.push_back({peer.engine, peer.version, errors});
  }
  return table;
}

}  // namespace tenpin::lab::experiments
