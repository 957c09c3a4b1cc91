#include "impact_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/text.h"
#include "json_fields.h"

namespace tenpin::app {

namespace {

using impact::Law;

constexpr NumberRange kFriction = {0.0, 1e3};
constexpr NumberRange kShare = {0.0, 1.0};
constexpr NumberRange kMass = {1e-12, 1e12};         // kg
constexpr NumberRange kLength = {1e-9, 1e7};         // m
constexpr NumberRange kPlace = {-1e7, 1e7};          // m
constexpr NumberRange kAngle = {-1e6, 1e6};          // rad
constexpr NumberRange kSpeed = {-1e9, 1e9};          // m/s, rad/s
constexpr NumberRange kInverseMass = {-1e30, 1e30};  // 1/kg
constexpr NumberRange kInertia = {-1e30, 1e30};      // kg m^2
// -   values that a file gives twice must agree to this relative accuracy
constexpr double kAgreement = 1e-8;
constexpr std::size_t kMaxContacts = 2000;
constexpr std::size_t kMaxNameLength = 256;

// True if A is positive semidefinite up to rounding, by the principal minors of the scaled matrix.
bool is_semidefinite(const Mat3& A) {
  constexpr double kRounding = 1e-9;
  Mat3 S = Mat3::Identity();
  for (int i = 0; i < 3; ++i) {
    if (A(i, i) < 0.0) return false;
    for (int k = 0; k < 3; ++k) {
      const double scale = std::sqrt(A(i, i)) * std::sqrt(A(k, k));
      if (i != k) S(i, k) = scale > 0.0 ? A(i, k) / scale : (A(i, k) == 0.0 ? 0.0 : 2.0);
    }
  }
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < i; ++k) {
      if (std::fabs(S(i, k)) > 1.0 + kRounding) return false;
    }
  }
  const double determinant = S.col(0).dot(S.col(1).cross(S.col(2)));
  return determinant >= -kRounding;
}

bool agree(double given, double derived, double scale) {
  return std::fabs(given - derived) <= kAgreement * std::max(scale, std::fabs(derived));
}

class CaseReader {
 public:
  CaseReader(const std::string& file, const JsonNode& node, std::string path,
             std::vector<std::string>* problems)
      : file_(file), node_(node), path_(std::move(path)), problems_(problems) {}

  void read(ImpactInput* input) const {
    const JsonFields outer(file_, node_, path_, problems_);
    if (node_.kind != JsonNode::Kind::kObject) {
      outer.complain(node_, path_,
                     fmt::format("wrong type, got {}, want an object", describe(node_)));
      return;
    }
    if (is_resting(outer)) {
      ++input->num_passed_over;
      return;
    }
    ImpactCase result{file_, read_name(outer), {}};
    if (outer.has("masses") || outer.has("contacts") || outer.has("v0")) {
      result.what = read_collision(outer);
    } else if (const JsonNode* inputs = outer.node().find("inputs")) {
      read_single(*inputs, outer, &result);
    } else {
      read_single(node_, outer, &result);
    }
    input->cases.push_back(std::move(result));
  }

 private:
  static bool is_resting(const JsonFields& outer) { return outer.has("A") && outer.has("b"); }

  std::string read_name(const JsonFields& outer) const {
    const JsonNode* name = outer.node().find("name");
    if (name == nullptr) return path_.empty() ? file_ : path_;
    if (name->kind != JsonNode::Kind::kString) {
      outer.complain("name", fmt::format("wrong type, got {}, want a string", describe(*name)));
    } else if (name->text.size() > kMaxNameLength) {
      outer.complain("name", fmt::format("too long, got {} bytes, want at most {}",
                                         name->text.size(), kMaxNameLength));
    } else if (std::any_of(name->text.begin(), name->text.end(), [](char c) {
                 return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
               })) {
      outer.complain("name", "not printable, got a control character, want text");
    }
    return name->text;
  }

  void read_single(const JsonNode& inputs, const JsonFields& outer, ImpactCase* result) const {
    const bool is_nested = &inputs != &outer.node();
    const JsonFields fields(file_, inputs, is_nested ? outer.path_of("inputs") : path_, problems_);
    if (inputs.kind != JsonNode::Kind::kObject) {
      outer.complain("inputs", fmt::format("wrong type, got {}, want an object", describe(inputs)));
    } else if (fields.has("K") || fields.has("u0") || fields.has("bodies")) {
      fields.check_spelling({"K", "u0", "mu", "mu_static", "e", "bodies"});
      result->what = read_spatial(fields);
    } else if (fields.has("q") || fields.has("u") || fields.has("A_nn") || fields.has("vn0")) {
      fields.check_spelling({"q", "u", "mu", "mu_static", "e", "mass", "length", "A_tt", "A_tn",
                             "A_nn", "vt0", "vn0"});
      result->what = read_planar(fields);
      std::get<PlanarCase>(result->what).surface.law = read_cor(outer);
    } else {
      fields.complain(inputs, is_nested ? outer.path_of("inputs") : path_,
                      "no impact, got none of its fields, want q and u, K and u0, or masses, "
                      "v0 and contacts");
    }
  }

  // Reads the law: "stronge: ..." is the energetic law; the text after the colon is for people.
  static Law read_cor(const JsonFields& outer) {
    const JsonNode* cor = outer.node().find("cor");
    if (cor == nullptr) return Law::kEnergetic;
    const std::string word = cor->text.substr(0, cor->text.find_first_of(": "));
    if (word == "stronge") return Law::kEnergetic;
    const auto law = impact::find_law(word);
    if (!law) {
      outer.complain("cor", fmt::format("unknown law, got {}, want stronge, energetic, "
                                        "energetic-ratio, poisson or newton",
                                        word.empty() ? describe(*cor) : word));
    }
    return law.value_or(Law::kEnergetic);
  }

  static impact::Surface read_surface(const JsonFields& fields) {
    impact::Surface surface;
    surface.mu = fields.number("mu", kFriction);
    surface.mu_static = fields.number("mu_static", kFriction, surface.mu);
    surface.restitution = fields.number("e", kShare);
    if (surface.mu_static < surface.mu) {
      fields.complain("mu_static", fmt::format("below the sliding coefficient, got {}, want at "
                                               "least {}",
                                               to_text(surface.mu_static), to_text(surface.mu)));
    }
    return surface;
  }

  // --- planar ----------------------------------------------------------------------------------

  static PlanarCase read_planar(const JsonFields& fields) {
    PlanarCase result;
    result.surface = read_surface(fields);
    if (fields.has("q") || fields.has("u")) {
      read_pendulum(fields, &result);
    } else {
      read_planar_contact(fields, &result.contact);
    }
    return result;
  }

  static void read_planar_contact(const JsonFields& fields, impact::PlanarContact* contact) {
    contact->W_tt = fields.number("A_tt", {0.0, kInverseMass.high});
    contact->W_tn = fields.number("A_tn", kInverseMass);
    contact->W_nn = fields.number("A_nn", {1e-30, kInverseMass.high});
    contact->v_t = fields.number("vt0", kSpeed);
    contact->v_n = fields.number("vn0", kSpeed);
    const double bound = std::sqrt(contact->W_tt) * std::sqrt(contact->W_nn);
    if (std::fabs(contact->W_tn) > (1.0 + 1e-12) * bound) {
      fields.complain("A_tn", fmt::format("no matrix of a mechanism, got {}, want at most {}",
                                          to_text(contact->W_tn), to_text(bound)));
    }
  }

  static void read_pendulum(const JsonFields& fields, PlanarCase* result) {
    const std::size_t num_before = fields.num_problems();
    impact::DoublePendulum pendulum;
    pendulum.q = fields.vector("q", kAngle, 2);
    pendulum.mass = fields.number("mass", kMass, 1.0);
    pendulum.length = fields.number("length", kLength, 1.0);
    result->u = fields.vector("u", kSpeed, 2);
    if (fields.num_problems() > num_before) return;
    result->mechanism = impact::calc_mechanism(pendulum);
    result->contact = impact::make_planar_contact(*result->mechanism, result->u);
    check_derived(fields, *result);
  }

  // Checks further fields of the file, which must agree with q and u.
  static void check_derived(const JsonFields& fields, const PlanarCase& c) {
    const double W = std::max(c.contact.W_tt, c.contact.W_nn);
    const double v = (c.mechanism->J.cwiseAbs() * c.u.cwiseAbs()).maxCoeff();
    const auto check = [&fields](std::string_view key, double derived, double scale) {
      if (!fields.has(key)) return;
      const double given = fields.number(key, {-1e300, 1e300});
      if (agree(given, derived, scale)) return;
      fields.complain(key, fmt::format("contradicts q and u, got {}, want {}", to_text(given),
                                       to_text(derived)));
    };
    check("A_tt", c.contact.W_tt, W);
    check("A_tn", c.contact.W_tn, W);
    check("A_nn", c.contact.W_nn, W);
    check("vt0", c.contact.v_t, v);
    check("vn0", c.contact.v_n, v);
    if (!(c.contact.W_nn > 0.0)) {
      fields.complain("q",
                      "stretched upright, got a contact that cannot move along its normal, "
                      "want one that can");
    }
  }

  // --- three dimensions --------------------------------------------------------------------------

  SpatialCase read_spatial(const JsonFields& fields) const {
    const std::size_t num_before = fields.num_problems();
    SpatialCase result;
    result.surface = read_surface(fields);
    result.contact.v = fields.vector("u0", kSpeed, 3);
    const bool has_bodies = fields.has("bodies");
    Mat3 from_bodies = Mat3::Zero();
    if (has_bodies) from_bodies = read_bodies(fields);
    if (!fields.has("K") && has_bodies) {
      result.contact.W = from_bodies;
      return result;
    }
    result.contact.W = fields.symmetric_matrix("K", kInverseMass);
    if (fields.num_problems() > num_before) return result;
    if (!(result.contact.W(2, 2) > 0.0) || !is_semidefinite(result.contact.W)) {
      fields.complain("K",
                      "no matrix of bodies, got one that is not positive, want symmetric and "
                      "positive semidefinite with K[2][2] > 0");
    }
    const double scale = result.contact.W.cwiseAbs().maxCoeff();
    const double miss = (result.contact.W - from_bodies).cwiseAbs().maxCoeff();
    if (has_bodies && miss > kAgreement * scale) {
      fields.complain(
          "K", fmt::format("contradicts bodies, got a difference of {}, want none", to_text(miss)));
    }
    return result;
  }

  // Adds 1/m - [r] I^-1 [r] over the bodies.   [MC95, §Initial collision analysis]
  Mat3 read_bodies(const JsonFields& fields) const {
    Mat3 W = Mat3::Zero();
    const JsonNode* bodies = fields.array("bodies");
    if (bodies == nullptr) return W;
    if (bodies->items.empty() || bodies->items.size() > 2) {
      fields.complain("bodies",
                      fmt::format("wrong size, got {} bodies, want 1 or 2", bodies->items.size()));
    }
    for (std::size_t i = 0; i < bodies->items.size(); ++i) {
      const JsonNode& body = bodies->items[i];
      const std::string path = fmt::format("{}[{}]", fields.path_of("bodies"), i);
      if (body.kind == JsonNode::Kind::kObject) {
        W += read_body(JsonFields(file_, body, path, problems_));
      } else {
        fields.complain(body, path,
                        fmt::format("wrong type, got {}, want an object", describe(body)));
      }
    }
    return W;
  }

  static Mat3 read_body(const JsonFields& fields) {
    fields.check_spelling({"mass", "inertia_world", "r"});
    const std::size_t num_before = fields.num_problems();
    const double mass = fields.number("mass", kMass);
    const Vec3 r = fields.vector("r", kPlace, 3);
    const Mat3 I = fields.symmetric_matrix("inertia_world", kInertia);
    if (fields.num_problems() > num_before) return Mat3::Identity();
    Mat3 adjugate;
    adjugate << I.col(1).cross(I.col(2)), I.col(2).cross(I.col(0)), I.col(0).cross(I.col(1));
    const double determinant = I.col(0).dot(adjugate.col(0));
    // A body's moment of inertia about any axis is at most the sum of those about the two others.
    const Mat3 second = 0.5 * I.trace() * Mat3::Identity() - I;
    if (!(determinant > 0.0) || !is_semidefinite(I) || !is_semidefinite(second)) {
      fields.complain("inertia_world",
                      fmt::format("no inertia of a body, got diagonal {}, {}, {}, want positive "
                                  "definite with each principal moment at most the sum of the "
                                  "others",
                                  to_text(I(0, 0)), to_text(I(1, 1)), to_text(I(2, 2))));
      return Mat3::Identity();
    }
    Mat3 cross;
    cross << 0.0, -r[2], r[1], r[2], 0.0, -r[0], -r[1], r[0], 0.0;
    return Mat3::Identity() / mass - cross * (adjugate.transpose() / determinant) * cross;
  }

  // --- rows of bodies ----------------------------------------------------------------------------

  CollisionCase read_collision(const JsonFields& fields) const {
    fields.check_spelling({"name", "kind", "masses", "v0", "contacts", "eps"});
    const std::size_t num_before = fields.num_problems();
    CollisionCase result;
    result.masses = fields.vector("masses", kMass, -1);
    const int num_bodies = static_cast<int>(result.masses.size());
    result.v0 = fields.vector("v0", kSpeed, num_bodies);
    read_contacts(fields, num_bodies, &result.contacts);
    const VecX eps = read_eps(fields, static_cast<int>(result.contacts.size()));
    if (fields.num_problems() == num_before) {
      result.collision = make_collision(result);
      result.collision.restitution = eps;
    }
    return result;
  }

  static VecX read_eps(const JsonFields& fields, int num_contacts) {
    const JsonNode* eps = fields.node().find("eps");
    if (eps != nullptr && eps->kind == JsonNode::Kind::kArray) {
      return fields.vector("eps", kShare, num_contacts);
    }
    return VecX::Constant(num_contacts, fields.number("eps", kShare));
  }

  static void read_contacts(const JsonFields& fields, int num_bodies,
                            std::vector<std::pair<int, int>>* contacts) {
    const JsonNode* list = fields.array("contacts");
    if (list == nullptr) return;
    if (list->items.size() > kMaxContacts) {
      throw LimitError(fmt::format("{}: {} contacts in one collision, the limit is {}",
                                   fields.file(), list->items.size(), kMaxContacts));
    }
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      const JsonNode& pair = list->items[i];
      const std::string path = fmt::format("{}[{}]", fields.path_of("contacts"), i);
      if (pair.kind != JsonNode::Kind::kArray || pair.items.size() != 2) {
        fields.complain(pair, path,
                        fmt::format("wrong type, got {}, want two bodies", describe(pair)));
        continue;
      }
      const int a = read_body_index(fields, pair.items[0], path + "[0]", num_bodies);
      const int b = read_body_index(fields, pair.items[1], path + "[1]", num_bodies);
      if (a == b) {
        fields.complain(pair, path,
                        fmt::format("not two bodies, got {} twice, want different ones",
                                    a < 0 ? "null" : std::to_string(a)));
      }
      contacts->emplace_back(a, b);
    }
  }

  static int read_body_index(const JsonFields& fields, const JsonNode& node,
                             const std::string& path, int num_bodies) {
    if (node.kind == JsonNode::Kind::kNull) return -1;
    const bool is_index = node.kind == JsonNode::Kind::kNumber &&
                          std::floor(node.number) == node.number && node.number >= 0.0 &&
                          node.number < num_bodies;
    if (is_index) return static_cast<int>(node.number);
    fields.complain(
        node, path,
        fmt::format("no such body, got {}, want null or 0 to {}",
                    node.kind == JsonNode::Kind::kNumber ? to_text(node.number) : describe(node),
                    num_bodies - 1));
    return -2;
  }

  static impact::Collision make_collision(const CollisionCase& c) {
    const auto n = static_cast<Eigen::Index>(c.contacts.size());
    MatX J = MatX::Zero(n, c.masses.size());
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto [a, b] = c.contacts[static_cast<std::size_t>(i)];
      if (a >= 0) J(i, a) = -1.0;
      if (b >= 0) J(i, b) = 1.0;
    }
    const MatX W = J * c.masses.cwiseInverse().asDiagonal() * J.transpose();
    return {W, J * c.v0, VecX()};
  }

  const std::string& file_;
  const JsonNode& node_;
  std::string path_;
  std::vector<std::string>* problems_;
};

}  // namespace

void read_impact_cases(const std::string& file, ImpactInput* input,
                       std::vector<std::string>* problems) {
  try {
    const JsonNode root = parse_json(read_regular_file(file), file);
    const JsonNode* cases = root.kind == JsonNode::Kind::kObject ? root.find("cases") : nullptr;
    if (cases == nullptr) {
      CaseReader(file, root, "", problems).read(input);
      return;
    }
    if (cases->kind != JsonNode::Kind::kArray) {
      fail_at(file, *cases, "cases",
              fmt::format("wrong type, got {}, want an array", describe(*cases)));
    }
    if (cases->items.empty()) fail_at(file, *cases, "cases", "empty, got no case, want one");
    for (std::size_t i = 0; i < cases->items.size(); ++i) {
      CaseReader(file, cases->items[i], fmt::format("cases[{}]", i), problems).read(input);
    }
  } catch (const InputError& error) {
    problems->emplace_back(error.what());
  }
}

}  // namespace tenpin::app
