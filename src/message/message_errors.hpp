// The errors of messages, in words.
#pragma once

#include <string>

#include "base/raise.hpp"
#include "stoa/detail/storage/resources.hpp"

namespace stoa::detail {

// The order of messages, or the list of readers, would depend on threads.
[[noreturn]] inline void fail_in_par_each(const char* verb, const ResourceType& type) {
    raise(Errc::conflict,
          std::string(verb) + ": inside par_each and par_reduce a " + std::string(type.name) +
              " that was made outside cannot be used, because the order of messages would depend on threads; hand it "
              "to the walk, as in query.par_each(executor, messages, f), where the last parameter of f is a " +
              std::string(type.name) + "&");
}

// The world is being destroyed.
[[noreturn]] inline void fail_ending(const char* verb, const ResourceType& type) {
    raise(Errc::world_gone, std::string(verb) + ": the world is being destroyed, and " + std::string(type.name) +
                                " accepts neither messages nor readers; send them earlier");
}

}  // namespace stoa::detail
