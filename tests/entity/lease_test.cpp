// Guards the end of the ids that leases deal out: a directory has fewer than 2^31 indices, and a lease that would reach
// past them is refused. With 4,096 leases the
// ranges of one of them reach the end after half a million ids.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <deque>
#include <optional>
#include <vector>

#include "stoa/detail/entity/id_lease.hpp"

using namespace stoa;
using detail::Directory;
using detail::IdLease;

namespace {

constexpr std::uint64_t last_index = 0x7ffffffe;  // the next one is the mark of an empty list

// Takes until it is refused. Returns: the code, and the largest index that was handed out.
template <class Take>
std::pair<std::optional<Errc>, std::uint64_t> take_all(Take take) {
    std::uint64_t largest = 0;
    try {
        for (int i = 0; i < 1'000'000; ++i) largest = std::max<std::uint64_t>(largest, take().index());
    } catch (const Error& error) {
        return {error.code(), largest};
    }
    return {std::nullopt, largest};
}

}  // namespace

TEST_CASE("leases past the last index are refused, and so are ids beside leases") {
    Directory directory({});
    std::deque<IdLease> leases(4096);
    std::vector<IdLease*> all;
    for (IdLease& lease : leases) all.push_back(&lease);
    directory.leases().begin(all);
    const auto leased = take_all([&] { return leases.back().take(directory); });
    CHECK(leased.first == Errc::capacity);
    CHECK(leased.second <= last_index);
    CHECK(leased.second > last_index / 4);
    const auto beside = take_all([&] { return directory.reserve(); });
    CHECK(beside.first == Errc::capacity);
    CHECK(beside.second <= last_index);
    CHECK(beside.second > last_index / 4);
    // The others go on.
    CHECK(leases.front().take(directory).index() <= last_index);
    directory.leases().end(all);
}
