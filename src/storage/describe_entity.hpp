// The description of an entity for error messages. Called where this room raises errors.
#pragma once

#include <string>

#include "stoa/entity.hpp"

namespace stoa::detail {

std::string describe(Entity entity);

}  // namespace stoa::detail
