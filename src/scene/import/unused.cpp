#include "scene/import/unused.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace tenpin::scene {

namespace {

// Elements that do not affect the motion, whatever they contain.
constexpr std::array<std::string_view, 27> kStillElements = {"calibration",
                                                             "camera",
                                                             "color",
                                                             "custom",
                                                             "frustum",
                                                             "hardwareInterface",
                                                             "hfield",
                                                             "key",
                                                             "keyframe",
                                                             "layer",
                                                             "light",
                                                             "map",
                                                             "material",
                                                             "mesh",
                                                             "numeric",
                                                             "quality",
                                                             "safety_controller",
                                                             "sensor",
                                                             "site",
                                                             "size",
                                                             "skin",
                                                             "statistic",
                                                             "text",
                                                             "texture",
                                                             "transmission",
                                                             "tuple",
                                                             "visual"};

// Attributes of any element that do not affect the motion: appearance, names, settings of solvers.
constexpr std::array<std::string_view, 54> kStillAttributes = {"apirate",
                                                               "argb",
                                                               "autoreset",
                                                               "ccd_iterations",
                                                               "ccd_tolerance",
                                                               "class",
                                                               "cone",
                                                               "content_type",
                                                               "discardvisual",
                                                               "effort",
                                                               "emission",
                                                               "energy",
                                                               "fusestatic",
                                                               "fwdinv",
                                                               "group",
                                                               "integrator",
                                                               "island",
                                                               "iterations",
                                                               "jacobian",
                                                               "ls_iterations",
                                                               "ls_tolerance",
                                                               "material",
                                                               "maxhullvert",
                                                               "midphase",
                                                               "mpr_iterations",
                                                               "mpr_tolerance",
                                                               "multiccd",
                                                               "name",
                                                               "nativeccd",
                                                               "noslip_iterations",
                                                               "noslip_tolerance",
                                                               "nthread",
                                                               "reflectance",
                                                               "rgba",
                                                               "sdf_initpoints",
                                                               "sdf_iterations",
                                                               "sensornoise",
                                                               "shininess",
                                                               "sleep_tolerance",
                                                               "smoothnormal",
                                                               "solver",
                                                               "specular",
                                                               "texcoord",
                                                               "texdir",
                                                               "texnormal",
                                                               "texrepeat",
                                                               "texture",
                                                               "texturedir",
                                                               "texuniform",
                                                               "tolerance",
                                                               "usethread",
                                                               "user",
                                                               "version",
                                                               "width"};

template <typename Words>
bool is_among(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// For example "15, 18-40" for the lines after the first.
std::string write_more_lines(const std::set<int>& lines) {
  std::string result;
  for (auto at = std::next(lines.begin()); at != lines.end();) {
    const int first = *at;
    int last = first;
    while (++at != lines.end() && *at == last + 1) {
      last = *at;
    }
    result += (result.empty() ? "" : ", ") + std::to_string(first);
    result += last > first ? "-" + std::to_string(last) : "";
  }
  return result;
}

std::string write_note(const std::string& file, const std::string& text,
                       const std::set<int>& lines) {
  if (*lines.begin() == 0) {
    return file + ": " + text;
  }
  std::string result = file + ":" + std::to_string(*lines.begin()) + ": " + text;
  if (lines.size() > 1) {
    result += "; also line" + std::string(lines.size() > 2 ? "s " : " ") + write_more_lines(lines);
  }
  return result;
}

void add_unread_attributes(const XmlElement& element, std::vector<Note>* notes) {
  for (const XmlAttribute& a : element.attributes) {
    if (!a.read) {
      const bool is_still = is_among(kStillAttributes, a.name) || a.name.starts_with("xmlns") ||
                            is_among(kStillElements, element.tag);
      notes->push_back({element.file, a.place.line, "<" + element.tag + " " + a.name + "> not used",
                        is_still ? Effect::kAppearance : Effect::kMotion});
    }
  }
}

// The effect of an unused element. It does not affect the motion if its kind never does, or if it
// belongs to a default class that nothing uses.
Effect effect_of(const XmlDocument& document, int index) {
  bool is_still = is_among(kStillElements, document[index].tag);
  for (int up = document[index].parent; up >= 0 && !is_still; up = document[up].parent) {
    is_still = document[up].tag == "default";
  }
  return is_still ? Effect::kAppearance : Effect::kMotion;
}

std::string describe_inside(int count) {
  if (count == 0) {
    return "";
  }
  return count == 1 ? ", nor the element in it"
                    : ", nor the " + std::to_string(count) + " elements in it";
}

}  // namespace

std::vector<Note> list_unused(const XmlDocument& document) {
  std::vector<Note> notes;
  std::vector<int> note_above(document.elements.size(), -1);  // the note that covers the element
  std::vector<int> num_inside;                                // per note
  for (std::size_t i = 0; i < document.elements.size(); ++i) {
    const XmlElement& element = document.elements[i];
    if (element.parent >= 0) {
      note_above[i] = note_above[static_cast<std::size_t>(element.parent)];
    }
    if (note_above[i] >= 0) {
      ++num_inside[static_cast<std::size_t>(note_above[i])];
    } else if (!element.read) {
      note_above[i] = static_cast<int>(notes.size());
      notes.push_back({element.file, element.place.line, "<" + element.tag + "> not used",
                       effect_of(document, static_cast<int>(i))});
    } else {
      add_unread_attributes(element, &notes);
    }
    num_inside.resize(notes.size());
  }
  for (std::size_t i = 0; i < notes.size(); ++i) {
    if (notes[i].effect != Effect::kAppearance) {
      notes[i].text += describe_inside(num_inside[i]);
    }
  }
  return notes;
}

namespace {

// Prints one line per file and text, for the notes with one effect.
void print_lines(const XmlDocument& document, const std::vector<Note>& notes, Effect effect,
                 std::vector<std::string>* result) {
  std::map<std::pair<int, std::string>, std::set<int>> lines;
  for (const Note& note : notes) {
    if (note.effect == effect) {
      lines[{note.file, note.text}].insert(note.line);
    }
  }
  const std::string head = effect == Effect::kMotion ? "changes the motion: " : "";
  for (const Note& note : notes) {
    const auto found = lines.find({note.file, note.text});
    if (note.effect == effect && found != lines.end()) {
      result->push_back(write_note(document.files[static_cast<std::size_t>(note.file)],
                                   head + note.text, found->second));
      lines.erase(found);
    }
  }
}

// Prints a line such as "arm.xml: appearance only, not used: 12 of <geom rgba>, 2 of <light>".
void print_appearance(const XmlDocument& document, const std::vector<Note>& notes,
                      std::vector<std::string>* result) {
  std::map<std::string, int> count;
  int sum = 0;
  for (const Note& note : notes) {
    if (note.effect == Effect::kAppearance) {
      ++count[note.text.substr(0, note.text.find(" not used"))];
      ++sum;
    }
  }
  if (sum == 0) {
    return;
  }
  std::string line = document.files.front() + ": appearance only: " + std::to_string(sum) +
                     (sum == 1 ? " place" : " places") + " not used: ";
  std::string_view separator;
  for (const auto& [what, times] : count) {
    line.append(separator).append(what);
    line += times > 1 ? " (" + std::to_string(times) + ")" : "";
    separator = ", ";
  }
  result->push_back(std::move(line));
}

}  // namespace

std::vector<std::string> print_notes(const XmlDocument& document, const std::vector<Note>& notes) {
  std::vector<std::string> result;
  print_lines(document, notes, Effect::kMotion, &result);
  print_lines(document, notes, Effect::kChoice, &result);
  print_appearance(document, notes, &result);
  return result;
}

}  // namespace tenpin::scene
