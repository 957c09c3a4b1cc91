// Steps of one world, stage by stage: Stewart and Trinkle's scheme of order 1 with compliant
// contacts and the round cone, as in methods/time_stepping.   [ST00]
#pragma once

#include "batch/certify.h"
#include "batch/colour.h"
#include "batch/drift.h"
#include "batch/find.h"
#include "batch/recall.h"
#include "batch/stored.h"
#include "batch/watch.h"

namespace tenpin::batch {

template <class World, class Stored>
TENPIN_INLINE void load_state(const World& w, const Stored& stored) {
  constexpr int kNb = World::kNb;
  for (int b = w.lanes.index(); b < kNb; b += World::kLanes) {
    for (int k = 0; k < 3; ++k) w.at(World::kX + k * kNb + b) = stored.x[b][k];
    for (int k = 0; k < 4; ++k) w.at(World::kQ + k * kNb + b) = stored.q[b][k];
    for (int k = 0; k < 6; ++k) w.at(World::kV + k * kNb + b) = stored.v[b][k];
  }
  for (int c = w.lanes.index(); c < int(stored.num_contacts); c += World::kLanes) {
    w.word(World::kKey + c) = stored.key[c];
    for (int k = 0; k < 3; ++k) w.at(World::kR + k * World::kNc + c) = stored.r[c][k];
    w.at(World::kRate + c) = stored.r[c][3];
  }
  w.lanes.sync();
}

template <class World, class Stored>
TENPIN_INLINE void store_state(const World& w, int count, Stored* stored) {
  constexpr int kNb = World::kNb;
  for (int b = w.lanes.index(); b < kNb; b += World::kLanes) {
    for (int k = 0; k < 3; ++k) stored->x[b][k] = w.at(World::kX + k * kNb + b);
    for (int k = 0; k < 4; ++k) stored->q[b][k] = w.at(World::kQ + k * kNb + b);
    for (int k = 0; k < 6; ++k) stored->v[b][k] = w.at(World::kV + k * kNb + b);
  }
  for (int c = w.lanes.index(); c < count; c += World::kLanes) {
    stored->key[c] = w.word(World::kKey + c);
    for (int k = 0; k < 3; ++k) stored->r[c][k] = w.at(World::kR + k * World::kNc + c);
    stored->r[c][3] = w.at(World::kRate + c);
  }
}

// Values that all lanes of a running world share.
template <class Real>
struct Progress {
  Word flags = 0;
  Word steps = 0;
  int count = 0;        // number of contacts in the last step
  int num_colours = 0;  // -1: not known
  LongWord sweeps = 0, visits = 0, contacts = 0;
  Word most_contacts = 0, most_sweeps = 0;
  Real worst_residual = Real(0), deepest = Real(0), worst_closure = Real(0);
  Real work_normal = Real(0), work_friction = Real(0), work_gravity = Real(0);
  Real energy = Real(0);
};

// Clears the velocities that impulses add, and adds those of the remembered impulses.
template <class World, class Real = typename World::Real>
TENPIN_INLINE void start_sweeps(const World& w, const Progress<Real>& progress, bool is_active) {
  const Vector<Real> zero = {Real(0), Real(0), Real(0)};
  for (int b = w.lanes.index(); is_active && b < w.model->num_bodies; b += World::kLanes) {
    w.set_body(World::kW, b, zero);
    w.set_body(World::kW + World::kAngular, b, zero);
    w.set_body(World::kWLast, b, zero);
    w.set_body(World::kWLast + World::kAngular, b, zero);
  }
  for (int c = w.lanes.index(); is_active && c < progress.count; c += World::kLanes) {
    w.set_contact(World::kRLast, c, w.contact(World::kR, c));
  }
  w.lanes.sync();
  add_impulses(w, progress.num_colours, is_active);
}

// Takes one step. A flagged world commits nothing from then on, and only runs synchronously with
// the others.
template <class World, class Real = typename World::Real>
TENPIN_INLINE void step(const World& w, Progress<Real>* progress) {
  bool is_active = progress->flags == 0;
  const StepStart<Real> start = begin_step(w);
  w.lanes.sync_stage();
  FoundContacts found = find_contacts(w, start.approach);
  w.lanes.sync_stage();
  const bool is_same = recall_impulses(w, progress->count, found.count);
  progress->count = found.count;
  if (!is_same) progress->num_colours = -1;
  if (w.lanes.any_in_warp(progress->num_colours < 0)) {
    progress->num_colours = colour_contacts(w, found.count);
  }
  w.lanes.sync_stage();
  const Real speed = assemble(w, found.count, start.speed);
  if (is_active && start.is_too_fast) progress->flags |= kTooFast;
  if (is_active && !(found.fits && progress->num_colours <= kMaxColours)) {
    progress->flags |= kOverflow;
  }
  is_active = progress->flags == 0;
  w.lanes.sync_stage();
  start_sweeps(w, *progress, is_active);
  w.lanes.sync_stage();
  const SweepOutcome outcome = solve(w, progress->count, progress->num_colours, speed, is_active);
  w.lanes.sync_stage();
  const Certificate<Real> certificate =
      certify(w, progress->count, progress->num_colours, speed, is_active);
  const bool is_certified = outcome.is_met && certificate.residual <= w.model->tolerance;
  if (is_active && !is_certified) progress->flags |= kNotCertified;
  if (is_active && certificate.overlap > w.model->max_overlap) progress->flags |= kSunk;
  w.lanes.sync_stage();
  const StepEnd<Real> end = drift(w, progress->flags == 0);
  w.lanes.sync_stage();
  if (progress->flags != 0) return;
  if (end.is_too_fast) {
    progress->flags |= kTooFast;
    return;
  }
  ++progress->steps;
  const Word sweeps = Word(outcome.sweeps), contacts = Word(progress->count);
  progress->sweeps += sweeps;
  progress->visits += LongWord(sweeps) * contacts;
  progress->contacts += contacts;
  progress->most_sweeps = larger(progress->most_sweeps, sweeps);
  progress->most_contacts = larger(progress->most_contacts, contacts);
  progress->worst_residual = larger_or_nan(progress->worst_residual, certificate.residual);
  progress->deepest = larger(progress->deepest, certificate.overlap);
  const Real work = (certificate.work_normal + certificate.work_friction) + end.work_gravity;
  progress->work_normal = progress->work_normal + certificate.work_normal;
  progress->work_friction = progress->work_friction + certificate.work_friction;
  progress->work_gravity = progress->work_gravity + end.work_gravity;
  progress->worst_closure =
      larger_or_nan(progress->worst_closure, absolute(work - (end.energy - start.energy)));
  progress->energy = end.energy;
}

template <class Stored, class Real = typename Stored::RealType>
TENPIN_INLINE Progress<Real> read_progress(const Stored& stored) {
  Progress<Real> p;
  p.flags = stored.flags;
  p.steps = stored.steps;
  p.count = int(stored.num_contacts);
  p.num_colours = -1;
  p.sweeps = stored.sweeps;
  p.visits = stored.visits;
  p.contacts = stored.contacts;
  p.most_contacts = stored.most_contacts;
  p.most_sweeps = stored.most_sweeps;
  p.worst_residual = stored.worst_residual;
  p.deepest = stored.deepest;
  p.worst_closure = stored.worst_closure;
  p.work_normal = stored.work_normal;
  p.work_friction = stored.work_friction;
  p.work_gravity = stored.work_gravity;
  p.energy = stored.energy;
  return p;
}

template <class Stored, class Real = typename Stored::RealType>
TENPIN_INLINE void write_progress(const Progress<Real>& p, Stored* stored) {
  stored->flags = p.flags;
  stored->steps = p.steps;
  stored->num_contacts = Word(p.count);
  stored->sweeps = p.sweeps;
  stored->visits = p.visits;
  stored->contacts = p.contacts;
  stored->most_contacts = p.most_contacts;
  stored->most_sweeps = p.most_sweeps;
  stored->worst_residual = p.worst_residual;
  stored->deepest = p.deepest;
  stored->worst_closure = p.worst_closure;
  stored->work_normal = p.work_normal;
  stored->work_friction = p.work_friction;
  stored->work_gravity = p.work_gravity;
  stored->energy = p.energy;
}

// Flags a world whose bodies overlap at time 0. Worlds that have taken a step are left alone.
template <class World, class Stored>
TENPIN_INLINE void check_start(const World& w, bool exists, Stored* stored) {
  using Real = typename World::Real;
  if (World::Lanes::kIsAlone && stored->steps != 0) return;
  load_state(w, *stored);
  for (int b = w.lanes.index(); b < w.model->num_bodies; b += World::kLanes) {
    w.set_body(World::kXHat, b, w.body(World::kX, b));
    w.set_rotation(World::kQHat, b, w.rotation(World::kQ, b));
  }
  w.lanes.sync();
  const FoundContacts found = find_contacts(w, Real(0));
  bool overlaps = false;
  for (int c = w.lanes.index(); c < found.count; c += World::kLanes) {
    overlaps = overlaps || !(w.at(World::kFree + c) >= -w.model->start_overlap);
  }
  overlaps = w.lanes.any(overlaps);
  const bool is_first = exists && stored->steps == 0;
  if (is_first && overlaps && w.lanes.index() == 0) stored->flags |= kStartsOverlapping;
}

// Takes `steps` steps of a world, or fewer if it is flagged. Lanes beyond the last world have no
// world (`exists` is false) and only run synchronously with the others.
template <class World, class Stored>
TENPIN_INLINE void run_world(const World& w, bool exists, int steps, Stored* stored) {
  using Real = typename World::Real;
  Progress<Real> progress = read_progress(*stored);
  const bool was_flagged = progress.flags != 0;
  if (!exists) progress.flags = kOverflow;
  load_state(w, *stored);
  if (exists && progress.steps == 0 && !was_flagged) {
    take_measures(w, 0, stored->watches);
  }
  for (int k = 0; k < steps; ++k) {
    const bool was_active = progress.flags == 0;
    if (World::Lanes::kIsAlone && !was_active) break;
    step(w, &progress);
    if (was_active && progress.flags == 0) {
      take_measures(w, progress.steps, stored->watches);
    }
  }
  if (!exists || was_flagged) return;
  store_state(w, progress.count, stored);
  if (w.lanes.index() == 0) write_progress(progress, stored);
}

}  // namespace tenpin::batch
