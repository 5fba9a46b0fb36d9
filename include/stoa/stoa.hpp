// All of Stoa that depends on nothing but the standard library.
#pragma once

#include "stoa/cache.hpp"
#include "stoa/commands.hpp"
#include "stoa/component.hpp"
#include "stoa/entity.hpp"
#include "stoa/entity_ref.hpp"
#include "stoa/error.hpp"
#include "stoa/options.hpp"
#include "stoa/query.hpp"
#include "stoa/stats.hpp"
#include "stoa/subscription.hpp"
#include "stoa/table_ref.hpp"
#include "stoa/table_rows.hpp"
#include "stoa/watch.hpp"
#include "stoa/world.hpp"
