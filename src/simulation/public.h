// The public headers, for the library's own sources: include this instead, and first.
#pragma once

#include "base/check.h"

// base/check.h defines the classes that tenpin/error.h would define.
#define TENPIN_ERRORS_ARE_DEFINED

#include <tenpin/tenpin.h>
