// Rigid bodies in contact. Include this, link tenpin::tenpin, and see docs/cpp.md.
#pragma once

#include <tenpin/batch.h>
#include <tenpin/builder.h>
#include <tenpin/error.h>
#include <tenpin/queries.h>
#include <tenpin/report.h>
#include <tenpin/scene.h>
#include <tenpin/simulation.h>
#include <tenpin/snapshot.h>
#include <tenpin/types.h>
#include <tenpin/version.h>
