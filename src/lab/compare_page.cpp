#include "lab/compare_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "lab/compare_motion.h"
#include "lab/viewer_page.h"
#include "record/run_writer.h"

namespace tenpin::lab {

namespace {

using record::RunHeader;
using record::RunReader;
using Json = nlohmann::json;

// Okabe and Ito's colours, one per run; colour-blind readers can distinguish them, too.
constexpr std::array<std::string_view, 7> kLayerColours = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442"};
constexpr std::int64_t kStepBlock = 4096;  // steps read at a time

bool is_mover(const record::HeaderBody& body) {
  return body.joint != dynamics::JointType::kFixed || body.parent >= 0;
}

// One run on the page.
struct Layer {
  std::size_t outcome = 0;
  std::string colour;
  std::unique_ptr<RunReader> run;
  std::vector<int> bodies;  // in the merged run, one per moving body of the scene
};

std::vector<Layer> open_layers(const Comparison& comparison) {
  std::vector<Layer> layers;
  const auto add = [&](std::size_t i) {
    layers.push_back({.outcome = i,
                      .colour = std::string(kLayerColours[layers.size() % kLayerColours.size()]),
                      .run = std::make_unique<RunReader>(comparison.outcomes[i].run_file),
                      .bodies = {}});
  };
  add(static_cast<std::size_t>(comparison.reference));
  for (std::size_t i = 0; i < comparison.outcomes.size(); ++i) {
    const bool is_other = static_cast<int>(i) != comparison.reference;
    if (is_other && !comparison.outcomes[i].refused) add(i);
  }
  return layers;
}

std::vector<int> list_movers(const RunHeader& header) {
  std::vector<int> movers;
  for (int i = 0; i < header.num_bodies(); ++i) {
    if (is_mover(header.bodies[i])) movers.push_back(i);
  }
  return movers;
}

// Adds a copy of a moving body. It has no coordinates of its own: its pose comes from its frames.
void add_ghost(const RunHeader& source, int body, const std::string& label, RunHeader* header) {
  record::HeaderBody ghost = source.bodies[body];
  ghost.name = fmt::format("{} ({})", ghost.name, label);
  ghost.joint = dynamics::JointType::kPrescribed;
  ghost.parent = -1;
  ghost.q_begin = ghost.v_begin = 0;
  for (record::HeaderPart& visual : ghost.visuals) visual.body = header->num_bodies();
  for (const record::HeaderPart& part : source.parts) {
    if (part.body != body) continue;
    header->parts.push_back(part);
    header->parts.back().body = header->num_bodies();
  }
  header->bodies.push_back(std::move(ghost));
}

RunHeader merge_headers(const Comparison& comparison, std::vector<Layer>* layers) {
  const RunHeader& reference = layers->front().run->header();
  const std::vector<int> movers = list_movers(reference);
  RunHeader merged = reference;
  merged.contacts = scene::Record::Contacts::kFrames;
  for (Layer& layer : *layers) {
    const bool is_reference = &layer == &layers->front();
    for (const int body : movers) {
      layer.bodies.push_back(is_reference ? body : merged.num_bodies());
      if (!is_reference) {
        add_ghost(reference, body, comparison.outcomes[layer.outcome].label, &merged);
      }
      merged.bodies[layer.bodies.back()].colour = layer.colour;
    }
  }
  return merged;
}

// Reads the steps of a run one after the other, synchronously with the frames.
class StepStream {
 public:
  explicit StepStream(const RunReader& run) : run_(run) {}

  // Returns the next step if it ends by t, else null.
  const record::StepRow* next_until(double t) {
    if (next_ == run_.num_steps()) return nullptr;
    if (next_ - first_ == static_cast<std::int64_t>(block_.size())) {
      first_ = next_;
      block_ = run_.read_steps(first_, std::min(kStepBlock, run_.num_steps() - first_));
    }
    const record::StepRow* row = &block_[static_cast<std::size_t>(next_ - first_)];
    if (row->t > t * (1.0 + 1e-9)) return nullptr;
    ++next_;
    return row;
  }

 private:
  const RunReader& run_;
  std::int64_t first_ = 0;
  std::int64_t next_ = 0;
  std::vector<record::StepRow> block_;
};

void write_merged_run(const std::string& path, const RunHeader& header,
                      const std::vector<Layer>& layers) {
  const RunReader& reference = *layers.front().run;
  const std::vector<int> movers = list_movers(reference.header());
  std::vector<std::unique_ptr<MotionSampler>> samplers;
  samplers.reserve(layers.size());
  for (const Layer& layer : layers) {
    samplers.push_back(std::make_unique<MotionSampler>(*layer.run));
  }
  record::RunWriter writer(path, header);
  StepStream steps(reference);
  std::vector<record::BodyMotion> bodies(header.bodies.size());
  std::vector<contact::ContactRecord> contacts;
  double duration = 0.0;  // s   of the frame's impulses
  for (std::int64_t k = 0; k < reference.num_frames(); ++k) {
    const record::RunFrame frame = reference.read_frame(k);
    std::copy(frame.bodies.begin(), frame.bodies.end(), bodies.begin());
    for (std::size_t i = 1; i < layers.size(); ++i) {
      const auto& motion = samplers[i]->sample(std::min(frame.t, samplers[i]->end_time()));
      for (std::size_t m = 0; m < movers.size(); ++m) {
        bodies[layers[i].bodies[m]] = motion[movers[m]];
      }
    }
    contacts.clear();
    for (const auto& row : reference.read_contacts(frame.first_contact, frame.num_contacts)) {
      contacts.push_back(to_record(row));
      duration = row.duration;
    }
    while (const record::StepRow* row = steps.next_until(frame.t)) {
      writer.append_step(to_report(*row), {.duration = row->duration});
    }
    dynamics::State state;
    state.t = frame.t;
    state.step = frame.step;
    state.q = frame.q;
    state.v = frame.v;
    writer.append_frame(state, bodies, {.contacts = contacts, .duration = duration});
  }
  writer.close(reference.status().state, reference.status().message);
}

// J   The energy of a run at the reference's frame times, as long as the run lasts.
Json sample_energy(const RunReader& run, const std::vector<double>& times, double start) {
  Json values = Json::array();
  StepStream steps(run);
  const double end = run.read_frame(run.num_frames() - 1).t;
  double energy = start;
  for (const double t : times) {
    if (t > end * (1.0 + 1e-9)) break;
    while (const record::StepRow* row = steps.next_until(t)) energy = row->kinetic + row->potential;
    values.push_back(energy);
  }
  return values;
}

Json make_parting(const Parting& p) {
  return {{"t", p.t},
          {"body", p.body_name},
          {"distance", p.distance},
          {"situation", p.situation},
          {"reasons", p.reasons}};
}

Json make_layer(const Comparison& comparison, const Layer& layer,
                const std::vector<double>& times) {
  const CompareOutcome& o = comparison.outcomes[layer.outcome];
  const Difference& d = comparison.differences[layer.outcome];
  return {{"label", o.label},
          {"colour", layer.colour},
          {"bodies", layer.bodies},
          {"status", to_string(o.summary.status)},
          {"message", o.message},
          {"t", o.summary.t},
          {"steps", o.summary.steps},
          {"energy", o.summary.energy_end},
          {"residual", o.summary.worst.residual},
          {"penetration", o.summary.worst.penetration},
          {"cpu", o.summary.cpu},
          {"endDistance", d.end_distance},
          {"endBody", d.end_body},
          {"distances", d.distance},
          {"energies", sample_energy(*layer.run, times, o.summary.energy_start)},
          {"parting", d.parting ? make_parting(*d.parting) : Json()}};
}

Json make_comparison(const Comparison& comparison, const std::vector<Layer>& layers) {
  const std::vector<double> times = layers.front().run->read_frame_times();
  Json list = Json::array();
  for (const Layer& layer : layers) list.push_back(make_layer(comparison, layer, times));
  Json refused = Json::array();
  for (const CompareOutcome& o : comparison.outcomes) {
    if (o.refused) refused.push_back({{"label", o.label}, {"message", o.message}});
  }
  return {{"tolerance", comparison.tolerance},
          {"times", times},
          {"layers", list},
          {"refused", refused}};
}

}  // namespace

std::string make_compare_page(const Comparison& comparison, const std::string& folder) {
  TENPIN_DEMAND(comparison.reference >= 0);
  std::vector<Layer> layers = open_layers(comparison);
  const RunHeader header = merge_headers(comparison, &layers);
  const std::string path = folder + "/all.h5";
  write_merged_run(path, header, layers);
  const ViewerPageOptions options{
      .comparison =
          make_comparison(comparison, layers).dump(-1, ' ', false, Json::error_handler_t::replace)};
  std::string page = make_viewer_page(RunReader(path), options);
  std::remove(path.c_str());
  return page;
}

}  // namespace tenpin::lab
