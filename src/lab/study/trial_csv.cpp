#include "lab/study/trial_csv.h"

#include <algorithm>
#include <string_view>

#include "base/check.h"
#include "base/text.h"

namespace tenpin::lab {

namespace {

std::string quote_field(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string make_header(const Study& study) {
  std::string header = "trial";
  for (const Variable& variable : study.variables) header += "," + quote_field(variable.name);
  for (const Measure& measure : study.measures) header += "," + quote_field(measure.name);
  return header + ",status,message\n";
}

// Reads a text field by field. Text fields are in quotes, numbers are not.
class FieldReader {
 public:
  explicit FieldReader(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }

  Cell next() {
    Cell cell;
    if (rest_.starts_with('"')) {
      cell.text = take_quoted();
    } else {
      const std::string_view word = rest_.substr(0, rest_.find_first_of(",\n"));
      rest_.remove_prefix(word.size());
      if (!word.empty()) cell.number = parse_double(word);
      TENPIN_REQUIRE(word.empty() || cell.number, "not a number, got " + std::string(word));
    }
    TENPIN_REQUIRE(!rest_.empty(), "table of trials: cut short");
    rest_.remove_prefix(1);  // the comma, or the end of the line
    return cell;
  }

 private:
  std::string take_quoted() {
    std::string text;
    std::size_t i = 1;
    while (i < rest_.size() && (rest_[i] != '"' || rest_.substr(i).starts_with("\"\""))) {
      if (rest_[i] == '"') ++i;
      text += rest_[i++];
    }
    rest_.remove_prefix(std::min(i + 1, rest_.size()));
    return text;
  }

  std::string_view rest_;
};

}  // namespace

std::string make_trial_csv(const Study& study, std::span<const TrialRow> rows) {
  std::string csv = make_header(study);
  for (const TrialRow& row : rows) {
    csv += std::to_string(row.trial);
    for (const Cell& cell : row.cells) {
      csv += ",";
      if (cell.number) {
        csv += to_text(*cell.number);
      } else if (!cell.text.empty()) {
        csv += quote_field(cell.text);
      }
    }
    csv += "," + quote_field(row.status) + "," + quote_field(row.message) + "\n";
  }
  return csv;
}

std::vector<TrialRow> parse_trial_csv(const Study& study, const std::string& text) {
  const std::string header = make_header(study);
  TENPIN_REQUIRE(text.starts_with(header),
                 "table of trials: wrong columns, got another first line, want " + header);
  std::vector<TrialRow> rows;
  FieldReader reader(std::string_view(text).substr(header.size()));
  while (!reader.at_end()) {
    TrialRow row;
    row.trial = static_cast<std::int64_t>(reader.next().number.value_or(-1.0));
    for (std::size_t i = 0; i < study.variables.size() + study.measures.size(); ++i) {
      row.cells.push_back(reader.next());
    }
    row.status = reader.next().text;
    row.message = reader.next().text;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace tenpin::lab
