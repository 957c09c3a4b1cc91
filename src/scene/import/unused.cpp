#include "scene/import/unused.h"

#include <map>
#include <set>
#include <utility>

namespace tenpin::scene {

namespace {

// The lines after the first, as "15, 18-40".
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
      notes->push_back(
          {element.file, a.place.line, "<" + element.tag + " " + a.name + "> not used"});
    }
  }
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
  std::vector<int> note_above(document.elements.size(), -1);  // note that covers the element
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
      notes.push_back({element.file, element.place.line, "<" + element.tag + "> not used"});
    } else {
      add_unread_attributes(element, &notes);
    }
    num_inside.resize(notes.size());
  }
  for (std::size_t i = 0; i < notes.size(); ++i) {
    notes[i].text += describe_inside(num_inside[i]);
  }
  return notes;
}

std::vector<std::string> print_notes(const XmlDocument& document, const std::vector<Note>& notes) {
  std::map<std::pair<int, std::string>, std::set<int>> lines;
  for (const Note& note : notes) {
    lines[{note.file, note.text}].insert(note.line);
  }
  std::vector<std::string> result;
  for (const Note& note : notes) {
    const auto found = lines.find({note.file, note.text});
    if (found != lines.end()) {
      result.push_back(write_note(document.files[static_cast<std::size_t>(note.file)], note.text,
                                  found->second));
      lines.erase(found);
    }
  }
  return result;
}

}  // namespace tenpin::scene
