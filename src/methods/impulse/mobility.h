// How impulses change the motion of flying bodies.
#pragma once

#include "methods/impulse/flying_bodies.h"

namespace tenpin::methods::impulse {

// For a loose body: W += the response of the velocity at p_W to an impulse there, in world axes;
// and the application of such an impulse.
void add_mobility(const FlyingBodies& bodies, int body, const Vec3& p_W, Mat3* W);
void apply(int body, const Vec3& p_W, const Vec3& impulse, FlyingBodies* bodies);
// The same for velocity and angular velocity per impulse and angular impulse, in the axes R, for
// bodies that rotate freely.
void add_spatial_mobility(const FlyingBodies& bodies, int body, const Vec3& p_W, const Mat3& R,
                          Mat6* W);
// The response of the velocity at p_W to an impulse at p_other_W, in world axes, for bodies that
// rotate freely; zero for others.
[[nodiscard]] Mat3 calc_cross_mobility(const FlyingBodies& bodies, int body, const Vec3& p_W,
                                       const Vec3& p_other_W);

// Records an impulse that holds a resting body, once its duration is known.
void note_support(int body, const Vec3& p_W, const Vec3& impulse, FlyingBodies* bodies);

// Changes the velocities of a mechanism's joints.
void add_velocities(const dynamics::Mechanism& mechanism, ConstVecRef change, FlyingBodies* bodies);
// The twist that prescribed motion alone gives a body: its own, or that of what it hangs from.
[[nodiscard]] dynamics::Twist calc_drive(const FlyingBodies& bodies, int body);

}  // namespace tenpin::methods::impulse
