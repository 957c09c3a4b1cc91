// The gap of every pair of features, and its two derivatives, against differences of the gap
// itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "collide/core.h"
#include "collide/features.h"
#include "contact/cap_contacts.h"
#include "contact/finder.h"
#include "contact/flat_faces.h"
#include "contact/track.h"
#include "scene/build.h"
#include "scene/read.h"

namespace tenpin::contact {
namespace {

struct Pair {
  std::string a, b;  // shapes, with position and orientation
};

std::string two_bodies(const Pair& pair) {
  return "tenpin: 1\nbodies:\n  - {name: a, mass: 1, inertia: [1, 2, 2.5], " + pair.a +
         "}\n  - {name: b, mass: 1, inertia: [1, 1.5, 2], " + pair.b + "}\nuntil: 1\n";
}

class TrackTest : public ::testing::TestWithParam<Pair> {};

// Bodies that move evenly: q displaced by v t.
struct Moving {
  const dynamics::Model& model;
  const VecX& q;
  const VecX& v;

  Contact at(double t, const Track& track, Contact contact, double* rate, Vec3* slip) const {
    VecX q_t = q;
    displace(model, q, v * t, q_t);
    std::vector<Pose> X;
    std::vector<dynamics::Twist> V;
    update_poses(model, q_t, 0.0, &X);
    update_twists(model, X, v, 0.0, &V);
    update_contact(model, track, X, q_t, &contact);
    *slip = V[contact.body_b].at(contact.p_b - X[contact.body_b].p) -
            V[contact.body_a].at(contact.p_a - X[contact.body_a].p);
    *rate = contact.normal.dot(*slip);
    return contact;
  }
};

void expect_differences(const scene::Built& built) {
  const dynamics::Model& model = built.model;
  VecX v(model.nv);
  v << 0.3, -0.2, 0.5, 0.7, -0.4, 0.6, -0.1, 0.4, -0.3, -0.5, 0.8, 0.2;
  std::vector<Pose> X;
  std::vector<dynamics::Twist> V;
  update_poses(model, built.state.q, 0.0, &X);
  update_twists(model, X, v, 0.0, &V);
  const std::vector<dynamics::Twist> A(2);
  std::vector<Contact> contacts;
  const std::vector<double> reach = {0.02, 0.02};
  ContactFinder(model).find(X, reach, &contacts);
  ASSERT_FALSE(contacts.empty());
  for (Contact& found : contacts) {
    const Track track = make_track(model, X, found);
    EXPECT_TRUE(track.is_exact);
    const Moving moving{model, built.state.q, v};
    double rate = 0.0, later = 0.0, earlier = 0.0;
    Vec3 slip, slip_later, slip_earlier;
    const Contact now = moving.at(0.0, track, found, &rate, &slip);
    EXPECT_NEAR(now.gap, found.gap, 1e-12);
    EXPECT_LE((now.p_b - found.p_b).norm(), 1e-9);
    constexpr double kStep = 1e-4;   // s
    constexpr double kError = 1e-5;  // its square times the third derivative, and rounding
    const double gap_later = moving.at(kStep, track, found, &later, &slip_later).gap;
    const double gap_earlier = moving.at(-kStep, track, found, &earlier, &slip_earlier).gap;
    EXPECT_NEAR((gap_later - gap_earlier) / (2.0 * kStep), rate, kError);
    const Vec3 bias = calc_bias(track, now, {.X_WB = X, .V_WB = V, .A_WB = A});
    EXPECT_NEAR((later - earlier) / (2.0 * kStep), bias[0], kError);
    const Vec3 slip_dot = (slip_later - slip_earlier) / (2.0 * kStep);
    EXPECT_NEAR(slip_dot.dot(now.t1), bias[1], kError);
    EXPECT_NEAR(slip_dot.dot(now.t2), bias[2], kError);
  }
}

TEST_P(TrackTest, DerivativesOfTheGapAreItsDifferences) {
  expect_differences(scene::build(scene::parse_scene(two_bodies(GetParam()), "test.yaml")));
}

// A bowl cannot move in a scene, but what is in it moves against it: here it moves as well.
TEST(TrackInABowl, DerivativesOfTheGapAreItsDifferences) {
  for (const char* inside :
       {"sphere: {radius: 0.2}", "capsule: {radius: 0.1, length: 0.2}",
        "box: {size: [0.2, 0.2, 0.28]}", "box: {size: [0.2, 0.2, 0.28], radius: 0.02}",
        "ellipsoid: {semiaxes: [0.15, 0.25, 0.15]}"}) {
    const std::string shape = std::string("shapes: [{") + inside + "}]";
    scene::Built built = scene::build(
        scene::parse_scene(two_bodies({"position: [0.1, 0, 0.2], shapes: [{sphere: {radius: 1}}]",
                                       "position: [0.1, 0.48, -0.44], " + shape}),
                           "test.yaml"));
    built.model.parts[0].placed.shape = shapes::Bowl{.radius = 1.0};
    expect_differences(built);
  }
}

std::vector<Contact> find_contacts(const scene::Built& built, std::vector<Pose>* X) {
  update_poses(built.model, built.state.q, 0.0, X);
  std::vector<Contact> contacts;
  const std::vector<double> reach = {0.02, 0.02};
  ContactFinder(built.model).find(*X, reach, &contacts);
  return contacts;
}

// The ball is nearest to a vertex; a line along any edge beyond it would be nearer.
TEST(TrackOfAnEdge, EndsWhereTheEdgeDoes) {
  const scene::Built built = scene::build(scene::parse_scene(
      two_bodies({"shapes: [{box: {size: [1, 1, 1]}}]",
                  "position: [0.62, 0.61, 0.62], shapes: [{sphere: {radius: 0.2}}]"}),
      "test.yaml"));
  std::vector<Pose> X;
  std::vector<Contact> contacts = find_contacts(built, &X);
  ASSERT_EQ(contacts.size(), 1U);
  const collide::Core core(built.model.parts[0].placed.shape);
  int num_edges = 0;
  for (int e = 0; e < static_cast<int>(core.polytope().edges.size()); ++e) {
    const shapes::ConvexMesh::Edge& edge = core.polytope().edges[e];
    const auto vertex = static_cast<int>(contacts[0].key.feature_a);
    if (edge.from != vertex && edge.to != vertex) continue;
    ++num_edges;
    Contact named = contacts[0];
    named.key.feature_a = collide::make_feature(collide::FeatureKind::kEdge, e);
    const Track track = make_track(built.model, X, named);
    update_contact(built.model, track, X, built.state.q, &named);
    EXPECT_NEAR(named.gap, contacts[0].gap, 1e-12);
  }
  EXPECT_EQ(num_edges, 3);
}

// A rod leans over the end of another's side, by little enough to go by the name of the side: the
// line beyond its end would be nearer.
TEST(TrackOfASide, EndsWhereTheSideDoes) {
  const scene::Built built = scene::build(scene::parse_scene(
      two_bodies({"shapes: [{capsule: {radius: 0.2, length: 2, axis: x}}]",
                  "orientation: {axis: [1, 0, 0], degrees: 93}, position: [0, 0.51, 0.43], shapes: "
                  "[{cylinder: {radius: 0.2, length: 1}}]"}),
      "test.yaml"));
  std::vector<Pose> X;
  const std::vector<Contact> contacts = find_contacts(built, &X);
  ASSERT_EQ(contacts.size(), 1U);
  Contact named = contacts[0];
  named.key.feature_b = collide::make_feature(collide::FeatureKind::kSide, 0);
  const Track track = make_track(built.model, X, named);
  update_contact(built.model, track, X, built.state.q, &named);
  EXPECT_NEAR(named.gap, contacts[0].gap, 1e-12);
}

// A fixed point of the rim is near enough to its lowest one for the narrow phase to merge them, and
// yet higher: it stands for the lowest, beside where the rim leaves the face.
TEST(CapOnAFace, KeepsItsLowestPointBesideAFixedOne) {
  const scene::Built built = scene::build(scene::parse_scene(
      two_bodies(
          {"shapes: [{box: {size: [1, 1, 1]}}]",
           "orientation: [0.984807753012208, 1.041889e-6, 0.17364817766693033, 5.908847e-6],"
           " position: [0, 0.45, 0.66337], shapes: [{cylinder: {radius: 0.2, length: 0.2}}]"}),
      "test.yaml"));
  std::vector<Pose> X;
  std::vector<Contact> contacts = find_contacts(built, &X);
  choose_cap_points(built.model, X, 1e-9, &contacts);
  const auto is_lowest = [](const Contact& c) {
    return collide::FeatureKind(c.key.feature_b >> 28) == collide::FeatureKind::kRim;
  };
  EXPECT_GT(contacts.size(), 1U);
  EXPECT_EQ(std::count_if(contacts.begin(), contacts.end(), is_lowest), 1);
}

// Faces that lie on each other, turned by a little: the cross product of edges that are nearly
// parallel magnifies any tilt. The points stay where edges cross.
TEST(TrackOfFaces, HasTheirNormalWhereEdgesCross) {
  scene::Built built = scene::build(
      scene::parse_scene(two_bodies({"shapes: [{box: {size: [1, 1, 1]}}]",
                                     "orientation: {axis: [1e-6, 0, 1], radians: 1e-4}, position: "
                                     "[0, 0, 1], shapes: [{box: {size: [1, 1, 1]}}]"}),
                         "test.yaml"));
  std::vector<Pose> X;
  const std::vector<Contact> contacts = find_contacts(built, &X);
  int num_crossings = 0;
  double magnified = 0.0;  // rad
  for (const Contact& found : contacts) {
    EXPECT_TRUE(lie_flat(built.model, X, 1e-9, found));
    EXPECT_FALSE(lie_flat(built.model, X, 1e-11, found));
    const bool crosses =
        collide::FeatureKind(found.key.feature_a >> 28) == collide::FeatureKind::kEdge &&
        collide::FeatureKind(found.key.feature_b >> 28) == collide::FeatureKind::kEdge;
    if (!crosses) continue;
    ++num_crossings;
    Contact own = found;
    update_contact(built.model, make_track(built.model, X, found), X, built.state.q, &own);
    magnified = std::max(magnified, (own.normal - Vec3::UnitZ()).norm());
    Contact flat = found;
    const Track track = make_track(built.model, X, found, NormalOf::kFaces);
    EXPECT_TRUE(track.is_exact);
    update_contact(built.model, track, X, built.state.q, &flat);
    EXPECT_LT((flat.normal - Vec3::UnitZ()).norm(), 1e-9);
    EXPECT_LT((flat.p_b - found.p_b).norm(), 1e-9);
    // The upper box moves aside: each point stays on the edge of the lower one.
    VecX q = built.state.q;
    VecX v = VecX::Zero(built.model.nv);
    v.segment<3>(6) << 1e-5, 2e-5, 0.0;
    displace(built.model, built.state.q, v, q);
    std::vector<Pose> X_moved;
    update_poses(built.model, q, 0.0, &X_moved);
    update_contact(built.model, track, X_moved, q, &flat);
    EXPECT_NEAR(flat.p_b.head<2>().cwiseAbs().maxCoeff(), 0.5, 1e-9);
    EXPECT_GT((flat.p_b - found.p_b).norm(), 1e-6);
  }
  EXPECT_GE(num_crossings, 4);
  EXPECT_GT(magnified, 1e-7);
}

const std::string kTurned = "orientation: {axis: [1, 2, 3], degrees: 40}, ";

INSTANTIATE_TEST_SUITE_P(
    AllFeatures, TrackTest,
    ::testing::Values(
        Pair{"shapes: [{sphere: {radius: 0.3}}]",
             "position: [0.3, 0.2, 0.36], shapes: [{sphere: {radius: 0.2}}]"},
        Pair{"shapes: [{sphere: {radius: 0.3}, position: [0.1, 0, 0]}]",
             kTurned + "position: [0.1, 0.1, 0.5], shapes: [{capsule: {radius: 0.2, length: 1}}]"},
        Pair{"shapes: [{capsule: {radius: 0.2, length: 1, axis: x}}]",
             kTurned +
                 "position: [0, 0, 0.405], shapes: [{capsule: {radius: 0.2, length: 1, axis: y}}]"},
        Pair{"shapes: [{box: {size: [1, 1, 1]}}]",
             "position: [0.1, 0.2, 0.71], shapes: [{sphere: {radius: 0.2}}]"},
        Pair{"shapes: [{box: {size: [1, 1, 1]}}]",
             "position: [0.65, 0.2, 0.64], shapes: [{sphere: {radius: 0.2}}]"},
        Pair{"shapes: [{box: {size: [1, 1, 1]}}]",
             "position: [0.62, 0.61, 0.62], shapes: [{sphere: {radius: 0.2}}]"},
        Pair{"shapes: [{box: {size: [1, 1, 1]}}]",
             "orientation: {axis: [0, 0, 1], degrees: 30}, position: [0.4, 0.3, 1.001], "
             "shapes: [{box: {size: [1, 1, 1]}}]"},
        Pair{"shapes: [{box: {size: [1, 1, 1]}}]",
             "orientation: {axis: [1, 1, 0], degrees: 50}, position: [0.1, 0.1, 1.28], "
             "shapes: [{box: {size: [1, 1, 1]}}]"},
        Pair{"orientation: {axis: [0, 1, 0], degrees: 45}, shapes: [{box: {size: [1, 2, 1]}}]",
             "orientation: {axis: [1, 0, 0], degrees: 45}, position: [0.05, 0.02, 1.42], "
             "shapes: [{box: {size: [2, 1, 1]}}]"},
        Pair{"shapes: [{box: {size: [2, 2, 1]}}]",
             "orientation: {axis: [1, 0.3, 0], degrees: 30}, position: [0.1, 0.2, 0.83], "
             "shapes: [{cylinder: {radius: 0.3, length: 0.4}}]"},
        Pair{"shapes: [{cylinder: {radius: 0.3, length: 1}}]",
             "position: [0.35, 0.37, 0.1], shapes: [{sphere: {radius: 0.2}}]"},
        Pair{"shapes: [{cylinder: {radius: 0.3, length: 1}}]",
             "position: [0.35, 0.1, 0.65], shapes: [{sphere: {radius: 0.2}}]"},
        Pair{"shapes: [{cylinder: {radius: 0.3, length: 1}}]",
             "orientation: {axis: [1, 0.4, 0], degrees: 60}, position: [0.44, 0.1, 0.6], "
             "shapes: [{capsule: {radius: 0.2, length: 1}}]"},
        Pair{"shapes: [{cylinder: {radius: 0.3, length: 1}}]",
             "orientation: {axis: [1, 1, 0.2], degrees: 60}, position: [0.5194, 0.1731, 0.8097], "
             "shapes: [{cylinder: {radius: 0.2, length: 0.8}}]"},
        Pair{"shapes: [{cylinder: {radius: 0.3, length: 1}}]",
             "orientation: {axis: [1, 0.05, 1], degrees: 50}, position: [0.556, 0.02, 0.756], "
             "shapes: [{box: {size: [0.5, 2, 0.5]}}]"}));

const std::string kEllipsoid = "shapes: [{ellipsoid: {semiaxes: [0.3, 0.2, 0.5]}}]";
const std::string kTilted = "orientation: {axis: [0, 1, 0], degrees: 80}, ";

INSTANTIATE_TEST_SUITE_P(
    SmoothFeatures, TrackTest,
    ::testing::Values(Pair{"shapes: [{sphere: {radius: 0.2}}]",
                           kTurned + "position: [0.1, 0.1, 0.642], " + kEllipsoid},
                      Pair{"shapes: [{box: {size: [1, 1, 1]}}]",
                           kTurned + "position: [0.1, 0.2, 0.98], " + kEllipsoid},
                      Pair{"shapes: [{box: {size: [1, 1, 1]}}]",
                           kTurned + "position: [0.75, 0.2, 0.937], " + kEllipsoid},
                      Pair{"shapes: [{box: {size: [1, 1, 1]}}]",
                           kTurned + "position: [0.7, 0.66, 0.794], " + kEllipsoid},
                      Pair{"shapes: [{box: {size: [1, 1, 1], radius: 0.1}}]",
                           kTurned + "position: [0.75, 0.2, 0.875], " + kEllipsoid},
                      Pair{kTilted + "shapes: [{capsule: {radius: 0.2, length: 1}}]",
                           kTurned + "position: [0.1, 0.15, 0.612], " + kEllipsoid},
                      Pair{kTilted + "shapes: [{cylinder: {radius: 0.3, length: 1}}]",
                           kTurned + "position: [0.1, 0.15, 0.731], " + kEllipsoid},
                      Pair{"shapes: [{cylinder: {radius: 0.3, length: 1}}]",
                           kTurned + "position: [0.05, 0.05, 0.98], " + kEllipsoid},
                      Pair{"shapes: [{cylinder: {radius: 0.3, length: 1}}]",
                           kTurned + "position: [0.5, 0.1, 0.957], " + kEllipsoid},
                      Pair{"shapes: [{ellipsoid: {semiaxes: [0.4, 0.3, 0.2]}}]",
                           kTurned + "position: [0.1, 0.1, 0.659], " + kEllipsoid}));

INSTANTIATE_TEST_SUITE_P(
    RoundedBoxes, TrackTest,
    ::testing::Values(
        Pair{"orientation: {axis: [0, 1, 0], degrees: 45}, "
             "shapes: [{box: {size: [1, 2, 1], radius: 0.1}}]",
             "orientation: {axis: [1, 0, 0], degrees: 45}, position: [0.05, 0.02, 1.341], "
             "shapes: [{box: {size: [2, 1, 1], radius: 0.1}}]"},
        Pair{"shapes: [{box: {size: [1, 1, 1], radius: 0.1}}]",
             "position: [0.6, 0.59, 0.541], shapes: [{sphere: {radius: 0.2}}]"},
        Pair{"shapes: [{box: {size: [1, 1, 1], radius: 0.1}}]",
             "orientation: {axis: [0, 0, 1], degrees: 30}, position: [0.4, 0.3, 1.01], "
             "shapes: [{box: {size: [1, 1, 1], radius: 0.1}}]"}));

}  // namespace
}  // namespace tenpin::contact
