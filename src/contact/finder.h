// Finds contacts from poses: broad phase, narrow phase, frames and surface properties.
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

// Finds contacts. Reuses its buffers between calls. Also keeps the list of near pairs as long as no
// part leaves a box that is slightly larger than necessary, since most bodies of a pile do not
// move. This does not affect the contacts found.
class ContactFinder {
 public:
  // The workers, if any, divide the near pairs between them.
  explicit ContactFinder(const dynamics::Model& model, const Workers* workers = nullptr);

  // Appends all contact points of bodies whose surfaces are at most reach[a] + reach[b] metres
  // apart, sorted by key. Nothing else is left out. The same poses give the same contacts.
  void find(const std::vector<Pose>& X_WB, std::span<const double> reach,
            std::vector<Contact>* contacts);
  // Copies `first` into *contacts, then appends the contacts found; earlier contents are
  // overwritten.
  void find(const std::vector<Pose>& X_WB, std::span<const double> reach,
            std::span<const Contact> first, std::vector<Contact>* contacts);

  // Contacts that were found with the same reach when the bodies were in slightly different places.
  struct Earlier {
    const std::vector<Pose>& X_WB;
    std::span<const Contact> contacts;  // sorted by key
    std::span<const char> moved;        // by body: 1 if it has moved too far to reuse them
  };
  // The same, but contacts of two bodies that hardly moved are not found again: they move along
  // with the bodies, with gaps to first order.
  void find_near(const std::vector<Pose>& X_WB, std::span<const double> reach,
                 const Earlier& earlier, std::span<const Contact> first,
                 std::vector<Contact>* contacts);

  // The same if only some bodies moved, or changed their reach, since `before` was found: contacts
  // between the other bodies are copied from `before`.
  void find_again(const std::vector<Pose>& X_WB, std::span<const double> reach,
                  std::span<const char> moved, std::span<const Contact> before,
                  std::vector<Contact>* contacts);

  // The same for pairs of parts that are known to be near, in the given order.
  void find_pairs(std::span<const collide::Pair> pairs, const std::vector<Pose>& X_WB,
                  std::span<const double> reach, std::vector<Contact>* contacts);

  // True if two parts may touch, according to their bodies, joints, layers and the scene's
  // exceptions.
  [[nodiscard]] bool may_touch(int part_a, int part_b) const;

 private:
  void update_boxes(const std::vector<Pose>& X_WB, std::span<const double> reach);
  [[nodiscard]] bool has_current_pairs() const;
  void update_pairs(std::span<const double> reach);
  // The workspace of a worker that examines pairs.
  struct Search {
    collide::NarrowPhase narrow_phase;
    std::vector<collide::ContactPoint> points;  // of one pair
  };
  // The contacts that a worker found in one chunk of pairs, in order.
  struct Piece {
    std::vector<collide::ContactPoint> points;
    std::vector<int> pairs;  // of each point
    std::size_t begin = 0;   // position of its first contact among all contacts
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
  const Earlier* earlier_ = nullptr;              // during find_near()
  const std::vector<Pose>* X_carried_ = nullptr;  // poses to which find_near() carries its bodies
  std::vector<Pose> X_WS_;                        // by part
  std::vector<shapes::Aabb> boxes_;               // by part, enlarged by its reach
  std::vector<shapes::Aabb> roomy_;   // by part: the enlarged boxes with which pairs_ was found
  std::vector<collide::Pair> pairs_;  // pairs that may touch, sorted
  std::vector<char> is_pair_;         // 1 if two near parts may touch
  std::vector<Search> searches_;      // by worker
  std::vector<Piece> pieces_;
};

// The contact of two parts of the model at a point, with its frame and surface.
[[nodiscard]] Contact make_contact(const dynamics::Model& model, int part_a, int part_b,
                                   const std::vector<Pose>& X_WB,
                                   const collide::ContactPoint& point);

// The contacts of the first pair of parts in a list sorted by key.
[[nodiscard]] std::span<Contact> first_pair(std::span<Contact> sorted);

// The contact with that key in a list sorted by key, or null.
[[nodiscard]] const Contact* find_contact(std::span<const Contact> sorted, const ContactKey& key);
// The same for sequential lookups: the search starts at *next and updates it.
[[nodiscard]] const Contact* find_contact(std::span<const Contact> sorted, const ContactKey& key,
                                          std::size_t* next);

}  // namespace tenpin::contact
