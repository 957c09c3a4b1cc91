#include "lab/quantities.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "base/check.h"
#include "base/text.h"
#include "lab/scene_runs.h"

namespace tenpin::lab {
namespace {

class Quantities : public testing::Test {
 protected:
  std::vector<Quantity> find(const std::vector<std::string>& names) const {
    return find_quantities(run_, names);
  }
  std::string error_of(const std::vector<std::string>& names) const {
    try {
      static_cast<void>(make_quantity_csv(run_, find(names)));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  RunFolder folder_;
  record::RunReader run_{folder_.run(make_ball_scene("step: 0.01"))};
};

TEST_F(Quantities, ComponentIsFoundWithoutAList) {
  std::size_t count = 0;
  for (const Quantity& quantity : list_quantities(run_)) {
    for (std::size_t k = 0; k < quantity.components.size(); ++k) {
      const std::string& part = quantity.components[k];
      const std::string name = part.empty() ? quantity.name : quantity.name + "." + part;
      const auto found = find_component(run_.header().bodies, name);
      ASSERT_EQ(found.has_value(), quantity.rows != RowsOf::kContacts) << name;
      if (!found) continue;
      ++count;
      EXPECT_EQ(found->quantity.name, quantity.name);
      EXPECT_EQ(found->quantity.body, quantity.body);
      EXPECT_EQ(found->quantity.field, quantity.field);
      EXPECT_EQ(found->component, k);
    }
  }
  EXPECT_GT(count, 40U);
  for (const char* name :
       {"", "steps", "bodies.ball", "bodies.ball.position", "bodies.none.rates"}) {
    EXPECT_FALSE(find_component(run_.header().bodies, name).has_value()) << name;
  }
}

TEST_F(Quantities, NamesStandForThemselvesOrForAllBelow) {
  EXPECT_EQ(find({"steps.residual"}).size(), 1U);
  EXPECT_EQ(find({"steps"}).size(), record::step_fields().size());
  EXPECT_EQ(find({"contacts"}).size(), record::contact_fields().size());
  EXPECT_EQ(find({"bodies.ball"}).size(), 6U);
  EXPECT_EQ(find({"bodies"}).size(), 4U + 6U);  // the floor has no coordinates
  EXPECT_EQ(find({"steps", "steps.residual"}).size(), record::step_fields().size());
  EXPECT_EQ(list_quantities(run_).size(), find({"steps", "bodies", "contacts"}).size());
}

TEST_F(Quantities, UnknownNamesAreRefusedWithTheNearest) {
  EXPECT_NE(error_of({"steps.residul"}).find("did you mean 'steps.residual'"), std::string::npos);
  EXPECT_NE(error_of({"step"}).find("no quantity 'step'"), std::string::npos);
  EXPECT_NE(error_of({"bodies.bal"}).find("no quantity"), std::string::npos);
  EXPECT_NE(error_of({""}).find("no quantity ''"), std::string::npos);
  EXPECT_NE(error_of({"steps.t", "bodies"}).find("one table cannot hold both"), std::string::npos);
}

TEST_F(Quantities, ValuesAreThoseOfTheRun) {
  const auto columns = read_quantities(
      run_, find({"steps.kinetic", "bodies.ball.velocity", "bodies.ball.coordinates"}));
  const std::vector<record::StepRow> steps = run_.read_steps(0, run_.num_steps());
  ASSERT_EQ(columns[0].size(), steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(columns[0][i], steps[i].kinetic);
  ASSERT_EQ(columns[1].size(), 3U * static_cast<std::size_t>(run_.num_frames()));
  ASSERT_EQ(columns[2].size(), 7U * static_cast<std::size_t>(run_.num_frames()));
  for (std::int64_t k = 0; k < run_.num_frames(); ++k) {
    const record::RunFrame frame = run_.read_frame(k);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(columns[1][3 * k + i], frame.bodies[1].velocity[i]);
    for (int i = 0; i < 7; ++i) EXPECT_EQ(columns[2][7 * k + i], frame.q[i]);
  }
}

TEST_F(Quantities, CsvReadsBackBitForBit) {
  const std::vector<Quantity> wanted = find({"bodies.ball.position"});
  std::istringstream csv(make_quantity_csv(run_, wanted));
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line, "t,bodies.ball.position.x,bodies.ball.position.y,bodies.ball.position.z\r");
  for (std::int64_t k = 0; k < run_.num_frames(); ++k) {
    const record::RunFrame frame = run_.read_frame(k);
    ASSERT_TRUE(std::getline(csv, line));
    line.pop_back();
    std::istringstream cells(line);
    for (const double expected : {frame.t, frame.bodies[1].position.x(),
                                  frame.bodies[1].position.y(), frame.bodies[1].position.z()}) {
      std::string cell;
      std::getline(cells, cell, ',');
      EXPECT_EQ(parse_double(cell), expected);
    }
  }
  EXPECT_FALSE(std::getline(csv, line));
}

TEST_F(Quantities, EnumerationsAreWordsInCsvAndContactsHaveTimes) {
  const std::string csv = make_quantity_csv(run_, find({"contacts.mode", "contacts.step"}));
  EXPECT_EQ(csv.find("t,contacts.step,contacts.mode\r\n"), 0U);
  EXPECT_NE(csv.find("s"), std::string::npos);
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  int count = 0;
  while (std::getline(lines, line)) {
    const std::size_t comma = line.find(',');
    const double t = *parse_double(line.substr(0, comma));
    const double step = *parse_double(line.substr(comma + 1, line.rfind(',') - comma - 1));
    EXPECT_NEAR(t, 0.01 * step, 1e-12);
    ++count;
  }
  EXPECT_EQ(count, run_.num_contacts());
  EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace tenpin::lab
