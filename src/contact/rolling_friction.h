// Friction against rolling, as contacts of its own.
//
// A contact with normal force N resists rotation about axes in its surface with a moment of at most
// rolling * N, against the rotation: the force acts up to `rolling` ahead of the point of contact.
// So the moment is in a disc whose radius grows with the load, and dissipates the most of that
// disc, as friction of a point does with its force. Slip and rolling have a disc each: a ball that
// rolls steadily does not creep.
#pragma once

#include <vector>

#include "contact/contact.h"

namespace tenpin::contact {

// Appends one to each of the first contacts whose materials resist rolling.
void append_rolling_friction(int num_contacts, std::vector<Contact>* contacts);

}  // namespace tenpin::contact
