// Everything that steps of both orders need from the model and the options, computed once.
#pragma once

#include <vector>

#include "base/workers.h"
#include "contact/finder.h"
#include "contact/friction_cone.h"
#include "contact/passage.h"
#include "dynamics/kinematics.h"
#include "dynamics/model.h"
#include "methods/time_stepping/step_bounds.h"
#include "scene/options.h"

namespace tenpin::methods::time_stepping {

// Constant during a step.
struct StepSetup {
  StepSetup(const dynamics::Model& of_model, const scene::TimeSteppingOptions& with_options,
            const Workers& by_workers);

  // Reads forces, surfaces and prescribed motion from the model again.
  void model_changed();

  int num_bodies() const { return model->num_bodies(); }
  int num_mechanisms() const { return model->num_mechanisms(); }
  bool is_loose(int mechanism) const { return model->mechanisms[mechanism].is_loose; }
  double gravity() const { return model->gravity.norm(); }  // m/s^2
  double tolerance() const { return *options.tolerance; }
  // m/s   Speed of the fastest point of a body.
  double calc_speed(int body, const dynamics::Twist& V_WB) const {
    return V_WB.v.norm() + V_WB.w.norm() * radius[body];
  }
  // J   Sum of weight times size over the bodies of a mechanism.
  double calc_weight(const dynamics::Mechanism& mechanism) const;
  // True if this contact is compliant, so that overlap is expected.
  bool is_compliant(const contact::Contact& c) const {
    return options.springs ? c.stiffness > 0.0 : options.compliance > 0.0;
  }

  const dynamics::Model* model;
  scene::TimeSteppingOptions options;
  const Workers* workers;
  bool by_cone;  // true: the round friction cone; false: the polyhedral one
  contact::FrictionCone cone;
  // m   by body: bounding radius about its centre of mass, of a body without
  // shapes its radius of gyration; 0 if it does not move
  std::vector<double> radius;
  std::vector<int> driven;            // bodies outside of mechanisms that have a prescribed motion
  std::vector<int> limited_motors;    // bodies whose motors have a limit
  std::vector<bool> none;             // by mechanism: false for all
  std::vector<bool> articulated;      // by mechanism: true if it is not loose
  VecX zero;                          // nv
  std::vector<dynamics::Twist> rest;  // by body: no motion
  bool has_loops = false;
  bool has_viscous = false;  // of a surface
  bool has_rolling = false;  // does a surface resist rolling?
  bool bounces = false;      // a surface has restitution, and a law of restitution acts
  bool is_pushed = false;    // a body has external forces
  bool resists = false;      // one of them depends on velocity
  bool is_driven = false;    // a mechanism is attached to a prescribed motion
};

// The searches for contacts, and the pairs that they share.
struct ContactSearch {
  ContactSearch(const dynamics::Model& model, const Workers& workers)
      : finder(model, &workers),
        passages(model, &finder, &workers),
        passage_check(model, finder, &workers),
        overlap_check(model, &finder, passage_check) {}
  ContactSearch(const ContactSearch&) = delete;
  ContactSearch& operator=(const ContactSearch&) = delete;

  contact::ContactFinder finder;
  contact::PassageFinder passages;
  contact::PassageCheck passage_check;
  OverlapCheck overlap_check;
};

}  // namespace tenpin::methods::time_stepping
