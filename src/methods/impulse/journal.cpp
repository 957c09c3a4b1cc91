#include "methods/impulse/journal.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "contact/energy_law.h"
#include "methods/impulse/collision_matrix.h"

namespace tenpin::methods::impulse {

using contact::ContactRecord;
using contact::Ledger;
using contact::Mode;

namespace {

Mode find_mode(const Vec3& impulse, double slip, double speed) {
  constexpr double kRoundoff = 1e-10;
  if (!(impulse.z() > 0.0)) return Mode::kSeparating;
  if (slip > kRoundoff * speed) return Mode::kSliding;
  return impulse.head<2>().norm() > kRoundoff * impulse.z() ? Mode::kSticking : Mode::kResting;
}

contact::WorkSample make_sample(const PointImpact& impact) {
  contact::WorkSample sample;
  sample.impulse << impact.p.z(), impact.p.x(), impact.p.y(), 0.0;
  sample.before << impact.before.z(), impact.before.x(), impact.before.y(), 0.0;
  sample.after << impact.after.z(), impact.after.x(), impact.after.y(), 0.0;
  return sample;
}

// The work of an impulse is impulse times mean velocity, which is exact because velocities depend
// linearly on it. The work of friction is known where a law follows the path. Elsewhere the path
// counts as straight, with no positive work of friction.
ContactRecord make_record(const contact::Contact& c, const PointImpact& impact, double tolerance) {
  const Vec3& after = impact.after;
  const Vec3 mean = 0.5 * (impact.before + after);
  const double speed = std::max(impact.before.norm(), after.norm());
  ContactRecord r;
  r.key = c.key;
  r.body_a = c.body_a;
  r.body_b = c.body_b;
  r.position = CollisionMatrix::point(c);
  r.normal = c.normal;
  r.gap = c.gap;
  r.impulse = CollisionMatrix::frame(c) * impact.p;
  r.normal_impulse = impact.p.z();
  r.slip = c.t1 * after.x() + c.t2 * after.y();
  r.normal_velocity = after.z();
  r.mode = find_mode(impact.p, after.head<2>().norm(), speed);
  r.friction_work =
      impact.friction_work.value_or(std::min(impact.p.head<2>().dot(mean.head<2>()), 0.0));
  r.normal_work = impact.p.dot(mean) - r.friction_work;
  r.residual = impact.residual;
  r.force_unique = impact.is_unique;
  if (impact.kind != ImpactKind::kLift && impact.is_unique) {
    constexpr std::array kItself = {0};
    const contact::WorkSample sample = make_sample(impact);
    r.excess_work = contact::calc_excess_work({&sample, 1}, kItself, speed, tolerance);
  }
  return r;
}

}  // namespace

void add(const ContactRecord& record, double t, Journal* journal) {
  journal->records.push_back(record);
  journal->bookings.push_back({.t = t});
}

void book(Ledger::Stage stage, double work, Journal* journal) {
  journal->bookings.back().work[stage] += work;
}

void add_impact(const contact::Contact& contact, const PointImpact& impact, double t,
                double tolerance, Journal* journal) {
  const ContactRecord r = make_record(contact, impact, tolerance);
  add(r, t, journal);
  ++journal->num_impact_records;
  const bool lifts = impact.kind == ImpactKind::kLift;
  const bool throws = lifts && r.friction_work > 0.0;  // against the fall of the bodies
  book(lifts ? Ledger::kProjection : Ledger::kNormal, r.normal_work, journal);
  book(throws ? Ledger::kProjection : Ledger::kFriction, r.friction_work, journal);
  book(Ledger::kPrescribed, -impact.p.dot(impact.drive), journal);
  contact::Certificate& certificate = journal->certificate;
  certificate.excess_work = std::max(certificate.excess_work, r.excess_work);
  certificate.forces_unique = certificate.forces_unique && impact.is_unique;
  certificate.forces_least = certificate.forces_least && impact.is_unique;
  certificate.residual = std::max(certificate.residual, r.residual);
  certificate.cone_violation = std::max(certificate.cone_violation, impact.cone_violation);
}

void count(ImpactKind kind, EventCounts* counts) {
  ++counts->impacts;
  counts->microcollisions += kind == ImpactKind::kMicro ? 1 : 0;
  counts->sliding += kind == ImpactKind::kSliding ? 1 : 0;
  counts->lifts += kind == ImpactKind::kLift ? 1 : 0;
}

void note(const Failure& failure, Journal* journal) {
  const Failure& first = journal->failure;
  const bool is_earlier = std::tie(failure.t, failure.index) < std::tie(first.t, first.index);
  if (is_earlier || !journal->has_failed()) journal->failure = failure;
}

void append(const Journal& other, Journal* journal) {
  journal->records.insert(journal->records.end(), other.records.begin(), other.records.end());
  journal->bookings.insert(journal->bookings.end(), other.bookings.begin(), other.bookings.end());
  journal->certificate += other.certificate;
  journal->counts += other.counts;
  journal->guarded += other.guarded;
  journal->num_impact_records += other.num_impact_records;
  if (other.has_failed()) note(other.failure, journal);
}

Ledger settle_records(Journal* journal) {
  const std::vector<Booking>& bookings = journal->bookings;
  std::vector<int> order(journal->records.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) {
    const contact::ContactKey& a = journal->records[i].key;
    const contact::ContactKey& b = journal->records[j].key;
    return std::tie(bookings[i].t, a.part_a, a.part_b) <
           std::tie(bookings[j].t, b.part_a, b.part_b);
  });
  Ledger ledger;
  std::vector<ContactRecord> sorted;
  sorted.reserve(order.size());
  for (const int i : order) {
    sorted.push_back(journal->records[i]);
    for (std::size_t k = 0; k < ledger.work.size(); ++k) ledger.work[k] += bookings[i].work[k];
  }
  journal->records = std::move(sorted);
  journal->bookings.clear();
  return ledger;
}

}  // namespace tenpin::methods::impulse
