#include "impact_draw.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>

#include "lab/impact_figures.h"
#include "lab/svg_plot.h"
#include "page_target.h"
#include "record/record_error.h"
#include "record/whole_file.h"

namespace tenpin::app {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPageHead =
    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
    "<meta name=\"viewport\" content=\"width=device-width\"><title>Impacts</title>\n"
    "<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;"
    "max-width:56rem;padding:1.5rem}figure{margin:1.5rem 0}svg{display:block;width:100%;"
    "max-width:46rem;height:auto;margin:auto}figcaption{text-align:center}"
    "@media(prefers-color-scheme:dark){:root{--paper:#16181b;background:#16181b;color:#e6e6e6}}"
    "</style></head>\n<body>\n";

bool is_page(const std::string& target) {
  return fs::path(target).extension() == ".html";
}

// The letters, digits and dashes of a case's name, so that no name can refer to another folder.
std::string make_slug(const std::string& name) {
  constexpr std::size_t kLongest = 60;
  std::string slug;
  for (const char c : name) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (is_plain) slug += c;
    if (!is_plain && !slug.empty() && slug.back() != '-') slug += '-';
    if (slug.size() == kLongest) break;
  }
  return slug;
}

}  // namespace

CasePictures draw_case(const std::string& name, const PlanarCase& c, const PlanarResult& result) {
  if (result.impact.status != impact::ImpactStatus::kSolved) return {name, {}};
  lab::PlanarPicture picture{c.contact, result.surface, result.impact, std::nullopt, true, true};
  if (c.mechanism) picture.J = c.mechanism->J;
  const std::string law(to_string(result.surface.law));
  return {name,
          {{"velocity", draw_velocity_plane(
                            picture, fmt::format("{}: path of the velocity, {} law", name, law))},
           {"energy", draw_planar_energy(picture, fmt::format("{}: work against normal impulse, {} "
                                                              "law",
                                                              name, law))}}};
}

CasePictures draw_case(const std::string& name, const SpatialCase& c,
                       const std::vector<SpatialResult>& results) {
  CasePictures all{name, {}};
  for (const SpatialResult& result : results) {
    if (result.impact.status != impact::ImpactStatus::kSolved) continue;
    const lab::SpatialPicture picture{c.contact, result.surface, result.impact, result.trace};
    const std::string law(to_string(result.surface.law));
    if (all.pictures.empty()) {
      all.pictures.push_back(
          {"flow", draw_slip_flow(picture, name + ": flow of the slip; rays "
                                                  "that lead out are red, in green")});
      all.pictures.push_back(
          {"space", draw_velocity_space(
                        picture, fmt::format("{}: paths in velocity space, {} law", name, law))});
    }
    all.pictures.push_back(
        {"energy-" + law,
         draw_spatial_energy(picture,
                             fmt::format("{}: work against normal impulse, {} law", name, law))});
  }
  return all;
}

void check_draw_target(const std::string& target) {
  if (is_page(target)) {
    check_page_target(target);
    return;
  }
  std::error_code error;
  if (fs::exists(target, error) && !fs::is_directory(target, error)) {
    throw record::RecordError(target + ": is not a folder; --draw takes a folder or a page *.html");
  }
}

void write_pictures(const std::string& target, const std::vector<CasePictures>& all) {
  std::string page(kPageHead);
  if (!is_page(target)) fs::create_directories(target);
  int number = 0;
  for (const CasePictures& c : all) {
    ++number;
    page += fmt::format("<h2>{}</h2>\n", lab::escape_xml(c.name));
    for (const auto& [what, figure] : c.pictures) {
      if (!is_page(target)) {
        const std::string file = fmt::format("{:02}-{}-{}.svg", number, make_slug(c.name), what);
        record::write_whole_file(fs::path(target) / file, figure.svg);
      }
      page += fmt::format("<figure>\n{}<figcaption>{}</figcaption></figure>\n", figure.svg,
                          lab::escape_xml(figure.caption));
    }
  }
  if (is_page(target)) record::write_whole_file(target, page + "</body></html>\n");
}

}  // namespace tenpin::app
