// Contact forces that the motion leaves open: of all that act alike, the least are shown.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "support/scene_run.h"

namespace tenpin::methods {
namespace {

using contact::ContactRecord;
using contact::Mode;
using test::SceneRun;

constexpr double kG = 9.81;
constexpr double kEqual = 1e-9;  // -   of the load: what the solvers leave

// Every method and solver that has forces at rest.
const char* const kMethods[] = {
    "time-stepping: {step: 0.01, solver: cone, order: 2}",
    "time-stepping: {step: 0.01, solver: cone, order: 1}",
    "time-stepping: {step: 0.01, solver: cone, formulation: velocity}",
    "time-stepping: {step: 0.01, solver: cone, formulation: nonlinear}",
    "time-stepping: {step: 0.01, solver: lemke, order: 2}",
    "time-stepping: {step: 0.01, solver: lemke, order: 1}",
    "time-stepping: {step: 0.01, solver: lemke, formulation: velocity}",
    "time-stepping: {step: 0.01, solver: lemke, formulation: nonlinear}",
    "analytic: {}",
};

// The contacts of the last step, with forces in place of impulses.
struct Forces {
  explicit Forces(const std::string& yaml, double until = 0.3, int threads = 1)
      : run(yaml, threads) {
    double before = 0.0;
    run.watch = [this, before](const StepReport& report, std::span<const ContactRecord> contacts,
                               const dynamics::State&) mutable {
      const double h = report.t - before;
      before = report.t;
      if (!(h > 1e-6)) return;  // an impact
      records.assign(contacts.begin(), contacts.end());
      for (ContactRecord& r : records) r.impulse /= h;
    };
    EXPECT_EQ(run.run_until(until), AdvanceStatus::kReachedEnd) << run.last.message;
  }

  SceneRun run;
  std::vector<ContactRecord> records;  // impulse is a force, N
};

std::string make_scene(const std::string& bodies, const std::string& method,
                       const std::string& head = "") {
  return "tenpin: 1\nname: rest\n" + head +
         "materials: {m: {friction: 0.5, restitution: 0}}\nbodies:\n" + bodies + "method: {" +
         method + "}\n";
}

const char* const kFloor =
    "  - {name: floor, fixed: true, material: m, shapes: [{plane: {normal: [0, 0, 1]}}]}\n";
const char* const kCrate =
    "  - {name: crate, material: m, mass: 10, position: [0.1, -0.2, 0.2],"
    " shapes: [{box: {size: [0.6, 0.5, 0.4]}}]}\n";

void expect_equal_shares(const Forces& forces, std::size_t count, double weight,
                         const std::string& what) {
  ASSERT_EQ(forces.records.size(), count) << what;
  for (const ContactRecord& r : forces.records) {
    const Vec3 on_b = r.normal.z() > 0.0 ? r.impulse : Vec3(-r.impulse);
    EXPECT_LE((on_b - Vec3(0, 0, weight / static_cast<double>(count))).norm(), kEqual * weight)
        << what << ": " << r.impulse.transpose();
  }
}

TEST(LeastForces, CornersOfACrateShareItsWeight) {
  for (const char* method : kMethods) {
    const Forces forces(make_scene(std::string(kFloor) + kCrate, method));
    expect_equal_shares(forces, 4, 10 * kG, method);
  }
}

TEST(LeastForces, CornersShareWhicheverBodyComesFirst) {
  for (const char* method : kMethods) {
    const Forces forces(make_scene(std::string(kCrate) + kFloor, method));
    expect_equal_shares(forces, 4, 10 * kG, method);
  }
}

TEST(LeastForces, CornersShareAfterALanding) {
  const std::string falls =
      "  - {name: crate, material: m, mass: 10, position: [0, 0, 0.23],"
      " shapes: [{box: {size: [0.6, 0.5, 0.4]}}]}\n";
  for (const char* method : kMethods) {
    const Forces forces(make_scene(kFloor + falls, method), 0.6);
    expect_equal_shares(forces, 4, 10 * kG, method);
  }
}

std::string make_chair(int legs, const std::string& center = "[0, 0, 0]",
                       bool is_reversed = false) {
  std::string shapes = "{box: {size: [0.4, 0.4, 0.05]}}";
  for (int k = 0; k < legs; ++k) {
    const int i = is_reversed ? legs - 1 - k : k;
    const double angle = 2.0 * 3.14159265358979323846 * (i + 0.3) / legs;
    shapes += ", {sphere: {radius: 0.02}, position: [" + std::to_string(0.3 * std::cos(angle)) +
              ", " + std::to_string(0.3 * std::sin(angle)) + ", -0.4]}";
  }
  return "  - {name: chair, material: m, mass: 6, inertia: [1, 1, 1],"
         " position: [0, 0, 0.42], center_of_mass: " +
         center + ", shapes: [" + shapes + "]}\n";
}

// Positions have six digits in the scene, and shares follow from them.
TEST(LeastForces, LegsOfAChairShareItsWeight) {
  constexpr double kWritten = 1e-5;
  for (const int legs : {4, 5, 8}) {
    for (const char* method : kMethods) {
      const Forces forces(make_scene(kFloor + make_chair(legs), method));
      ASSERT_EQ(forces.records.size(), static_cast<std::size_t>(legs)) << method;
      for (const ContactRecord& r : forces.records) {
        EXPECT_NEAR(r.impulse.z(), 6 * kG / legs, kWritten * 6 * kG) << legs << " " << method;
        EXPECT_LE(r.impulse.head<2>().norm(), kWritten * 6 * kG) << legs << " " << method;
      }
    }
  }
}

// The legs of a chair that leans to one side, listed forwards and backwards.
TEST(LeastForces, DoNotDependOnTheOrderOfContacts) {
  const char* const center = "[0.06, -0.03, 0.1]";
  for (const char* method : kMethods) {
    const Forces forwards(make_scene(kFloor + make_chair(5, center), method));
    const Forces backwards(make_scene(kFloor + make_chair(5, center, true), method));
    ASSERT_EQ(forwards.records.size(), 5U) << method;
    ASSERT_EQ(backwards.records.size(), 5U) << method;
    for (std::size_t i = 0; i < 5; ++i) {
      const ContactRecord& r = forwards.records[i];
      const ContactRecord& other = backwards.records[4 - i];
      EXPECT_LE((r.position - other.position).norm(), 1e-9) << method;
      EXPECT_LE((r.impulse - other.impulse).norm(), kEqual * 6 * kG) << method;
    }
    EXPECT_GT((forwards.records[0].impulse - forwards.records[2].impulse).norm(), 0.5) << method;
  }
}

// The least forces of a body on contacts with one normal that stick, independently: the projection
// of zero on the forces that balance the weight and on the cones, in turns, by Dykstra's method.
std::vector<Vec3> calc_least_by_dykstra(const std::vector<Vec3>& points, const Vec3& normal,
                                        double mu, const Vec3& weight) {
  const int n = static_cast<int>(points.size());
  MatX A(6, 3 * n);
  for (int i = 0; i < n; ++i) {
    A.block<3, 3>(0, 3 * i).setIdentity();
    const Vec3& p = points[i];
    A.block<3, 3>(3, 3 * i) << 0, -p.z(), p.y(), p.z(), 0, -p.x(), -p.y(), p.x(), 0;
  }
  VecX b = VecX::Zero(6);
  b.head<3>() = -weight;
  const MatX inverse = A.transpose() * (A * A.transpose()).inverse();
  VecX x = VecX::Zero(3 * n);
  VecX kept = VecX::Zero(3 * n);
  for (int round = 0; round < 20000; ++round) {
    x += inverse * (b - A * x);
    const VecX from = x + kept;
    for (int i = 0; i < n; ++i) {
      const Vec3 f = from.segment<3>(3 * i);
      const double along = f.dot(normal);
      const Vec3 across = f - along * normal;
      Vec3 on = f;
      if (across.norm() > mu * along) {
        const double edge = std::max(0.0, (along + mu * across.norm()) / (1 + mu * mu));
        on = edge * (normal + mu * across.normalized());
      }
      x.segment<3>(3 * i) = on;
    }
    kept = from - x;
  }
  std::vector<Vec3> forces;
  for (int i = 0; i < n; ++i) forces.emplace_back(x.segment<3>(3 * i));
  return forces;
}

// Gravity leans instead of the floor. A tall crate: near the friction angle its upper corners are
// too light to bear an equal part of the friction.
TEST(LeastForces, CrateOnARampHasTheLeastForces) {
  constexpr double kNear = 1e-7;  // -   of the weight: where Dykstra's method ends
  for (const double degrees : {5.0, 15.0, 25.0}) {
    const double angle = degrees * 3.14159265358979323846 / 180.0;
    const Vec3 g(kG * std::sin(angle), 0.0, -kG * std::cos(angle));
    char head[120];
    (void)snprintf(head, sizeof head, "gravity: [%.17g, 0, %.17g]\n", g.x(), g.z());
    for (const char* method : kMethods) {
      const Forces forces(
          make_scene(std::string(kFloor) + "  - {name: crate, material: m, mass: 10,"
                                           " position: [0, 0, 0.4],"
                                           " shapes: [{box: {size: [0.6, 0.5, 0.8]}}]}\n",
                     method, head),
          0.1);
      ASSERT_EQ(forces.records.size(), 4U) << method;
      // Corners from the centre of mass; the velocity formulation has them where it looked ahead.
      std::vector<Vec3> points;
      Vec3 middle = Vec3::Zero();
      for (const ContactRecord& r : forces.records) middle += 0.25 * r.position;
      for (const ContactRecord& r : forces.records) {
        points.emplace_back(r.position - middle - Vec3(0.0, 0.0, 0.4));
      }
      const std::vector<Vec3> least =
          calc_least_by_dykstra(points, Vec3::UnitZ(), 0.5, Vec3(10.0 * g));
      for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_LE((forces.records[i].impulse - least[i]).norm(), kNear * 10 * kG)
            << degrees << " " << method << ": " << forces.records[i].impulse.transpose()
            << " instead of " << least[i].transpose();
      }
    }
  }
}

// The same crate in metres and kilograms and in millimetres and grams.
TEST(LeastForces, DoNotDependOnUnits) {
  const auto run = [](double metre, double kilogram) {
    char text[400];
    (void)snprintf(text, sizeof text,
                   "  - {name: crate, material: m, mass: %g, position: [0, 0, %g],"
                   " inertia: [%g, %g, %g], center_of_mass: [%g, %g, 0],"
                   " shapes: [{box: {size: [%g, %g, %g]}}]}\n",
                   10 * kilogram, 0.2 * metre, 0.3 * kilogram * metre * metre,
                   0.4 * kilogram * metre * metre, 0.5 * kilogram * metre * metre, 0.1 * metre,
                   0.05 * metre, 0.6 * metre, 0.5 * metre, 0.4 * metre);
    char head[80];
    (void)snprintf(head, sizeof head, "gravity: [%.17g, 0, %.17g]\n", 3 * metre, -9 * metre);
    return Forces(make_scene(std::string(kFloor) + text,
                             "time-stepping: {step: 0.01, solver: cone}", head),
                  0.1)
        .records;
  };
  const std::vector<ContactRecord> si = run(1.0, 1.0);
  const std::vector<ContactRecord> small = run(1000.0, 1000.0);
  ASSERT_EQ(si.size(), 4U);
  ASSERT_EQ(small.size(), 4U);
  double spread = 0.0;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_LE((si[i].impulse - 1e-6 * small[i].impulse).norm(), kEqual * 100.0);
    spread = std::max(spread, (si[i].impulse - si[0].impulse).norm());
  }
  EXPECT_GT(spread, 1.0);  // N: they are not merely all alike
}

// Two fingers press with 40 N each on two points; each point carries a quarter of the box.
TEST(LeastForces, GripperDoesNotPushAgainstItself) {
  const std::string fingers =
      "  - {name: left, joint: {slider: {axis: [1, 0, 0], motor: {force: 40}}}, mass: 0.5,"
      " material: m, position: [-0.1, 0, 0], shapes: [{sphere: {radius: 0.05}, position: [0, 0, "
      "0.06]}, {sphere: {radius: 0.05}, position: [0, 0, -0.06]}]}\n"
      "  - {name: right, joint: {slider: {axis: [1, 0, 0], motor: {force: -40}}}, mass: 0.5,"
      " material: m, position: [0.1, 0, 0], shapes: [{sphere: {radius: 0.05}, position: [0, 0, "
      "0.06]}, {sphere: {radius: 0.05}, position: [0, 0, -0.06]}]}\n"
      "  - {name: box, material: m, mass: 1, shapes: [{box: {size: [0.1, 0.1, 0.2]}}]}\n";
  for (const char* method : kMethods) {
    const Forces forces(make_scene(fingers, method), 0.1);
    ASSERT_EQ(forces.records.size(), 4U) << method;
    for (const ContactRecord& r : forces.records) {
      const bool is_on_box = r.body_b == forces.run.body("box");
      const Vec3 on_box = is_on_box ? r.impulse : Vec3(-r.impulse);
      EXPECT_NEAR(on_box.z(), kG / 4, 1e-6) << method;
      EXPECT_NEAR(on_box.y(), 0.0, 1e-6) << method;
      EXPECT_NEAR(std::fabs(on_box.x()), 20.0, 1e-6) << method;
    }
  }
}

// What slides has friction of its full size, whatever its load.
TEST(LeastForces, CornersThatSlideKeepToTheirCones) {
  for (const std::string velocity : {"[6, 2, 0]", "[6, 0, 0]"}) {
    const std::string slides =
        "  - {name: crate, material: m, mass: 10, position: [0, 0, 0.2], velocity: " + velocity +
        ", shapes: [{box: {size: [0.6, 0.5, 0.4]}}]}\n";
    for (const std::string solver :
         {"time-stepping: {step: 0.01, solver: cone, order: 1}",
          "time-stepping: {step: 0.01, solver: cone, order: 2}",
          "time-stepping: {step: 0.01, solver: lemke, order: 1}", "analytic: {}"}) {
      const Forces forces(make_scene(kFloor + slides, solver), 0.2);
      ASSERT_EQ(forces.records.size(), 4U) << solver;
      double sum = 0.0;
      double twist = 0.0;  // of the loads, which nothing but rank leaves open
      for (const ContactRecord& r : forces.records) {
        const Vec3 arm = r.position - forces.run.position("crate");
        EXPECT_EQ(r.mode, Mode::kSliding) << solver;
        EXPECT_LE(r.impulse.head<2>().norm(), 0.5 * r.impulse.z() * (1 + 1e-9)) << solver;
        EXPECT_GE(r.impulse.head<2>().norm(), 0.45 * r.impulse.z()) << solver;
        sum += r.impulse.z();
        twist += r.impulse.z() * (arm.x() * arm.y() > 0.0 ? 1.0 : -1.0);
      }
      EXPECT_NEAR(sum, 10 * kG, 1e-6) << solver;
      EXPECT_NEAR(twist, 0.0, 1e-6) << solver;
    }
  }
}

// Four corners that slide side by side can always exchange loads along the diagonals: the errors of
// their directions of slip made them look independent.
TEST(LeastForces, CornersThatSlideSideBySideAreNotUnique) {
  for (const char* velocity : {"[3, 0, 0]", "[3, 1, 0]"}) {
    for (const char* method : kMethods) {
      SceneRun run(make_scene(std::string(kFloor) +
                                  "  - {name: crate, material: m, mass: 2, position: [0, 0, 0.05], "
                                  "velocity: " +
                                  velocity + ", shapes: [{box: {size: [0.4, 0.4, 0.1]}}]}\n",
                              method));
      int steps = 0;
      run.watch = [&](const StepReport& report, std::span<const ContactRecord> contacts,
                      const dynamics::State&) {
        ++steps;
        for (const ContactRecord& r : contacts) {
          if (r.normal_impulse == 0.0) continue;
          EXPECT_FALSE(r.force_unique) << method << " at " << report.t;
        }
      };
      EXPECT_EQ(run.run_until(0.2), AdvanceStatus::kReachedEnd);
      EXPECT_GT(steps, 0);
    }
  }
}

// Velocities are those without the choice, and the records certify themselves.
TEST(LeastForces, WallStandsAndEveryBrickIsInBalance) {
  std::string bricks;
  for (int row = 0; row < 3; ++row) {
    for (int i = 0; i < 3; ++i) {
      char text[200];
      (void)snprintf(text, sizeof text,
                     "  - {name: b%d_%d, material: m, mass: 2, position: [%g, 0, %g],"
                     " shapes: [{box: {size: [0.4, 0.2, 0.2]}}]}\n",
                     row, i, 0.4 * i + 0.2 * (row % 2), 0.1 + 0.2 * row);
      bricks += text;
    }
  }
  for (const char* solver : {"cone, order: 1", "cone, order: 2", "lemke, order: 1"}) {
    const Forces forces(make_scene(kFloor + bricks, "time-stepping: {step: 0.01, solver: " +
                                                        std::string(solver) + "}"),
                        0.1);
    std::vector<Vec3> sums(static_cast<std::size_t>(forces.run.built.model.num_bodies()),
                           Vec3::Zero());
    for (const ContactRecord& r : forces.records) {
      sums[r.body_b] += r.impulse;
      sums[r.body_a] -= r.impulse;
    }
    for (int i = 0; i < forces.run.built.model.num_bodies(); ++i) {
      if (!forces.run.built.model.bodies[i].is_mobile()) continue;
      EXPECT_LE((sums[i] - Vec3(0, 0, 2 * kG)).norm(), 1e-7) << solver;
    }
    EXPECT_LE(forces.run.worst_residual, 1e-7) << solver;
  }
}

// An arm that hangs on a hinge and leans on the floor has one freedom, so that load and friction at
// its tip share its weight in many ways: l_n N + l_t F = M.
TEST(LeastForces, OfAnArmThatLeansOnTheFloor) {
  constexpr double kAngle = 0.55;                       // rad
  constexpr double kReach = 0.48;                       // m
  const double tip = kReach * std::sin(kAngle) + 0.05;  // m   below the hinge
  for (const double mu : {0.5, 1.0, 1.3}) {
    for (const char* method : kMethods) {
      const Forces forces(
          "tenpin: 1\nmaterials: {m: {friction: " + std::to_string(mu) +
          "}}\nbodies:\n  - {name: floor, fixed: true, material: m, position: [0, 0, "
          "\"${0.3 - 0.48 * sin(0.55) - 0.05}\"], shapes: [{plane: {}}]}\n"
          "  - {name: arm, mass: 1, material: m, position: [0, 0, 0.3], joint: {hinge: {axis: [0, "
          "1, "
          "0], at: 0.55}}, shapes: [{sphere: {radius: 0.05}, position: [0.48, 0, 0]}]}\n"
          "method: {" +
          std::string(method) + "}\n");
      ASSERT_EQ(forces.records.size(), 1U) << method;
      const ContactRecord& r = forces.records[0];
      const double l_n = kReach * std::cos(kAngle);
      const Vec2 levers(l_n, tip);
      const double moment = kG * l_n;  // N m   of the weight
      Vec2 least = moment / levers.squaredNorm() * levers;
      if (least.y() > mu * least.x()) least = moment / (l_n + mu * tip) * Vec2(1.0, mu);
      // The forces of a tree at rest carry the scheme's own error, which falls with h^2.
      EXPECT_NEAR(std::fabs(r.impulse.z()), least.x(), 2e-3 * kG) << method << ", mu " << mu;
      EXPECT_NEAR(std::fabs(r.impulse.x()), least.y(), 2e-3 * kG) << method << ", mu " << mu;
      EXPECT_FALSE(r.force_unique) << method << ", mu " << mu;
    }
  }
}

TEST(LeastForces, AreMarkedAsNotUnique) {
  const char* const ball =
      "  - {name: ball, material: m, mass: 1, position: [3, 0, 0.1],"
      " shapes: [{sphere: {radius: 0.1}}]}\n";
  for (const char* method : kMethods) {
    const Forces forces(make_scene(std::string(kFloor) + kCrate + ball, method));
    ASSERT_EQ(forces.records.size(), 5U) << method;
    for (const ContactRecord& r : forces.records) {
      EXPECT_EQ(r.force_unique, r.position.x() > 2.0) << method;
    }
    EXPECT_FALSE(forces.run.last.certificate.forces_unique) << method;
    EXPECT_TRUE(forces.run.last.certificate.forces_least) << method;
  }
}

// Friction pyramids with spin, limit surfaces and the second phase of Poisson's law keep the
// solver's forces, and the report does not call these the least.
TEST(LeastForces, AreNotPromisedWhereTheyAreNotFound) {
  const auto run = [](const std::string& material, const std::string& method,
                      const std::string& bodies) {
    return Forces("tenpin: 1\nname: rest\nmaterials: {m: {friction: " + material +
                      "}, floor: {friction: 0.5, restitution: 0}}\nbodies:\n"
                      "  - {name: floor, fixed: true, material: floor, shapes: [{plane: {}}]}\n" +
                      bodies + "method: {" + method + "}\n",
                  0.1);
  };
  const std::string torsion = "{along: 0.5, torsion: 0.01}";
  const std::string ellipsoid = "{limit: {ellipsoid: [0.4, 0.4, 0.003]}, axis: [1, 0, 0]}";
  const std::string polygon =
      "{limit: {polygon: [[0.4, 0], [0, 0.4], [-0.4, 0], [0, -0.4]]}, axis: [1, 0, 0]}";
  struct Row {
    std::string material, method;
    bool is_least;
  };
  for (const std::string order : {"order: 1", "order: 2"}) {
    for (const Row& row :
         {Row{"0.5", "solver: lemke", true}, Row{torsion, "solver: lemke", false},
          Row{torsion, "solver: cone", true}, Row{ellipsoid, "solver: cone", false},
          Row{ellipsoid, "solver: lemke", false}, Row{polygon, "solver: lemke", false}}) {
      const Forces forces = run(
          row.material, "time-stepping: {step: 0.01, " + order + ", " + row.method + "}", kCrate);
      const contact::Certificate& certificate = forces.run.last.certificate;
      EXPECT_FALSE(certificate.forces_unique) << order << row.material << row.method;
      EXPECT_EQ(certificate.forces_least, row.is_least) << order << row.material << row.method;
    }
    // A single ball has unique forces, whatever its law.
    const Forces ball = run(ellipsoid, "time-stepping: {step: 0.01, " + order + "}",
                            "  - {name: ball, material: m, mass: 1, position: [0, 0, 0.1],"
                            " shapes: [{sphere: {radius: 0.1}}]}\n");
    EXPECT_TRUE(ball.run.last.certificate.forces_unique) << order;
    EXPECT_TRUE(ball.run.last.certificate.forces_least) << order;
  }
}

TEST(LeastForces, AreNotPromisedWhereContactsGiveBackCompression) {
  for (const std::string order : {"order: 1", "order: 2"}) {
    SceneRun run(
        "tenpin: 1\nname: drop\nmaterials: {m: {friction: 0.5, restitution: 0.5}}\nbodies:\n" +
        std::string(kFloor) +
        "  - {name: crate, material: m, mass: 10, position: [0, 0, 0.3], velocity: [0, 0, -2],"
        " shapes: [{box: {size: [0.6, 0.5, 0.4]}}]}\n"
        "method: {time-stepping: {step: 0.01, restitution: poisson, " +
        order + "}}\n");
    int bounces = 0;
    double before = -2.0;
    run.watch = [&](const StepReport& report, auto, const dynamics::State& state) {
      if (before < -1.0 && state.v[2] > 0.0) {
        ++bounces;
        EXPECT_FALSE(report.certificate.forces_unique) << order;
        EXPECT_FALSE(report.certificate.forces_least) << order;
      }
      before = state.v[2];
    };
    ASSERT_EQ(run.run_until(0.1), AdvanceStatus::kReachedEnd) << run.last.message;
    EXPECT_EQ(bounces, 1) << order;
  }
}

// What stands under `impulse` has forces, too. They are the least, and marked.
TEST(LeastForces, OfBodiesThatStandUnderImpulse) {
  const Forces crate(make_scene(std::string(kFloor) + kCrate, "impulse: {interval: 0.01}"), 0.1);
  expect_equal_shares(crate, 4, 10 * kG, "impulse");
  EXPECT_FALSE(crate.run.last.certificate.forces_unique);
  EXPECT_TRUE(crate.run.last.certificate.forces_least);
  for (const ContactRecord& r : crate.records) {
    EXPECT_FALSE(r.force_unique);
    EXPECT_EQ(r.mode, Mode::kResting);
  }
  const std::string chair = make_chair(5, "[0.06, -0.03, 0.1]");
  const Forces stands(make_scene(kFloor + chair, "impulse: {interval: 0.01}"), 0.1);
  const Forces steps(make_scene(kFloor + chair, "time-stepping: {step: 0.01}"), 0.1);
  ASSERT_EQ(stands.records.size(), 5U);
  ASSERT_EQ(steps.records.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_LE((stands.records[i].impulse - steps.records[i].impulse).norm(), kEqual * 6 * kG);
  }
  const Forces ball(
      make_scene(kFloor + std::string("  - {name: ball, material: m, mass: 1, position: [0, 0, "
                                      "0.1], shapes: [{sphere: {radius: 0.1}}]}\n"),
                 "impulse: {interval: 0.01}"),
      0.1);
  EXPECT_TRUE(ball.run.last.certificate.forces_unique);
}

TEST(LeastForces, HaveTheSameBitsWithAnyNumberOfThreads) {
  const char* const crate =  // beside the chair
      "  - {name: crate, material: m, mass: 10, position: [2, -0.2, 0.2],"
      " shapes: [{box: {size: [0.6, 0.5, 0.4]}}]}\n";
  const std::string scene =
      make_scene(std::string(kFloor) + crate + make_chair(5), "time-stepping: {step: 0.01}");
  const Forces one(scene, 0.1, 1);
  const Forces three(scene, 0.1, 3);
  ASSERT_EQ(one.records.size(), 9U);
  ASSERT_EQ(three.records.size(), 9U);
  EXPECT_EQ(one.run.built.state.q, three.run.built.state.q);
  EXPECT_EQ(one.run.built.state.v, three.run.built.state.v);
  for (std::size_t i = 0; i < one.records.size(); ++i) {
    EXPECT_EQ(one.records[i].impulse, three.records[i].impulse);
  }
}

}  // namespace
}  // namespace tenpin::methods
