// The public headers as the library's own sources see them: include this instead, and first.
#pragma once

#include "base/check.h"

// base/check.h has the classes that tenpin/error.h would define.
#define TENPIN_ERRORS_ARE_DEFINED

#include <tenpin/tenpin.h>
