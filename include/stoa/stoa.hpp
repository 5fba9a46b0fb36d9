// All of Stoa that depends on nothing but the standard library; parallel.hpp, which needs oneTBB, is not part of it.
//
// Where to begin: world.hpp (entities, components, resources), then query.hpp, commands.hpp and schedule.hpp. A file
// that includes only what it uses compiles faster.
#pragma once

#include "stoa/access.hpp"
#include "stoa/cache.hpp"
#include "stoa/commands.hpp"
#include "stoa/component.hpp"
#include "stoa/entity.hpp"
#include "stoa/entity_ref.hpp"
#include "stoa/error.hpp"
#include "stoa/executor.hpp"
#include "stoa/family.hpp"
#include "stoa/filter.hpp"
#include "stoa/index.hpp"
#include "stoa/mut.hpp"
#include "stoa/options.hpp"
#include "stoa/params.hpp"
#include "stoa/prefab.hpp"
#include "stoa/query.hpp"
#include "stoa/random.hpp"
#include "stoa/schedule.hpp"
#include "stoa/stats.hpp"
#include "stoa/subscription.hpp"
#include "stoa/table_ref.hpp"
#include "stoa/table_rows.hpp"
#include "stoa/terms.hpp"
#include "stoa/timer.hpp"
#include "stoa/version.hpp"
#include "stoa/watch.hpp"
#include "stoa/where.hpp"
#include "stoa/world.hpp"
