// From poses to contacts: broad phase, narrow phase, frames and surface properties.
#pragma once

#include <span>
#include <vector>

#include "base/workers.h"
#include "collide/broad_phase.h"
#include "collide/manifold.h"
#include "collide/narrow_phase.h"
#include "contact/contact.h"
#include "dynamics/model.h"
#include "math/pose.h"
#include "shapes/bounds.h"

namespace tenpin::contact {

// Keeps its buffers from call to call: no allocation once they have grown. Keeps the near pairs,
// too, for as long as no part leaves a box that is somewhat larger than need be: most of a pile
// does not move. Contacts do not depend on that.
class ContactFinder {
 public:
  // Pairs that are near are looked at by all workers, if there are any.
  explicit ContactFinder(const dynamics::Model& model, const Workers* workers = nullptr);

  // Appends all contact points of bodies whose surfaces are at most reach[a] + reach[b] metres
  // apart, sorted by key. Nothing is dropped. Same poses, same contacts.
  void find(const std::vector<Pose>& X_WB, std::span<const double> reach,
            std::vector<Contact>* contacts);
  // The same after `first`, in place of what was there.
  void find(const std::vector<Pose>& X_WB, std::span<const double> reach,
            std::span<const Contact> first, std::vector<Contact>* contacts);

  // What was found with the same reach when bodies were a little elsewhere.
  struct Earlier {
    const std::vector<Pose>& X_WB;
    std::span<const Contact> contacts;  // sorted by key
    std::span<const char> moved;        // by body: too far to take them from there
  };
  // The same after `first`; contacts of two bodies that hardly moved are carried along with these,
  // their gaps to first order.
  void find_near(const std::vector<Pose>& X_WB, std::span<const double> reach,
                 const Earlier& earlier, std::span<const Contact> first,
                 std::vector<Contact>* contacts);

  // The same where only some bodies moved, or changed their reach, since `before` was found: what
  // the others have with each other is taken from there.
  void find_again(const std::vector<Pose>& X_WB, std::span<const double> reach,
                  std::span<const char> moved, std::span<const Contact> before,
                  std::vector<Contact>* contacts);

  // The same of pairs of parts that are known to be near, in the order given.
  void find_pairs(std::span<const collide::Pair> pairs, const std::vector<Pose>& X_WB,
                  std::span<const double> reach, std::vector<Contact>* contacts);

  // Whether two parts ever do: by their bodies, joints, layers and the scene's exceptions.
  [[nodiscard]] bool may_touch(int part_a, int part_b) const;

 private:
  void update_boxes(const std::vector<Pose>& X_WB, std::span<const double> reach);
  [[nodiscard]] bool has_current_pairs() const;
  void update_pairs(std::span<const double> reach);
  // What a worker needs to look at pairs.
  struct Search {
    collide::NarrowPhase narrow_phase;
    std::vector<collide::ContactPoint> points;  // of one pair
  };
  // What a worker found at one go, in order.
  struct Piece {
    std::vector<collide::ContactPoint> points;
    std::vector<int> pairs;  // of each
    std::size_t begin = 0;   // where it goes among the contacts
  };
  void find_points(const collide::Pair& pair, double margin, Search* search) const;
  void carry_points(const collide::Pair& pair, std::vector<collide::ContactPoint>* points) const;
  void append_points(const collide::Pair& pair, const std::vector<Pose>& X_WB, double margin,
                     Search* search, std::vector<Contact>* contacts) const;
  void find_piece(int index, std::span<const double> reach, Search* search);
  void find_by_pieces(std::size_t begin, const std::vector<Pose>& X_WB,
                      std::span<const double> reach, std::vector<Contact>* contacts);
  void find_from(std::size_t begin, const std::vector<Pose>& X_WB, std::span<const double> reach,
                 std::vector<Contact>* contacts);
  double calc_margin(const collide::Pair& pair, std::span<const double> reach) const;
  static bool joined(const dynamics::Body& a, const dynamics::Body& b);

  const dynamics::Model* model_;
  collide::BroadPhase broad_phase_;
  const Workers* workers_;
  const Earlier* earlier_ = nullptr;              // within find_near()
  const std::vector<Pose>* X_carried_ = nullptr;  // where that takes its bodies
  std::vector<Pose> X_WS_;                        // by part
  std::vector<shapes::Aabb> boxes_;               // by part, grown by its reach
  std::vector<shapes::Aabb> roomy_;               // by part, what pairs_ was found with
  std::vector<collide::Pair> pairs_;              // that may touch, sorted
  std::vector<char> is_pair_;                     // whether two that are near may touch
  std::vector<Search> searches_;                  // by worker
  std::vector<Piece> pieces_;
};

// The frame and surface of a contact point between two parts of the model.
[[nodiscard]] Contact make_contact(const dynamics::Model& model, int part_a, int part_b,
                                   const std::vector<Pose>& X_WB,
                                   const collide::ContactPoint& point);

// Those at the front of a list sorted by key that are of one pair of parts.
[[nodiscard]] std::span<Contact> first_pair(std::span<Contact> sorted);

// The contact of that key in a list sorted by key, or null.
[[nodiscard]] const Contact* find_contact(std::span<const Contact> sorted, const ContactKey& key);
// The same for who asks for one after the other: *next is where to look first, and is kept.
[[nodiscard]] const Contact* find_contact(std::span<const Contact> sorted, const ContactKey& key,
                                          std::size_t* next);

}  // namespace tenpin::contact
