// More resource types than tickets can name: those beyond take the slow way and are found all the same. The types are
// made as data; compiling so many would take as long as the program runs.
#include <stoa/detail/storage/introspection.hpp>
#include <stoa/detail/storage/resource_verbs.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace stoa::detail;

namespace {

struct Kinds {
    std::vector<std::string> names;
    std::vector<ResourceType> types;
    std::vector<ResourceHandle> handles;
};

// The registry refers to types as long as the program runs, so they are never freed.
Kinds& make_kinds(std::size_t count) {
    auto& kinds = *new Kinds;
    kinds.names.reserve(count);
    kinds.types.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        kinds.names.push_back("kind " + std::to_string(i));
        ResourceType type = resource_type<std::uint64_t>;
        type.type_name = type.name = kinds.names.back();
        type.type_info = nullptr;
        kinds.types.push_back(type);
    }
    for (const ResourceType& type : kinds.types) kinds.handles.push_back({&type, {}});
    return kinds;
}

void put(Store& store, ResourceHandle& handle, std::uint64_t value) {
    Resources::Draft draft(store.resources(), handle, "set_resource");
    draft.commit(build<std::uint64_t>(draft.place(), value), store.clock().moment());
}

std::uint64_t value_of(const Store& store, ResourceHandle& handle) {
    const void* found = store.resources().find(handle);
    return found != nullptr ? *static_cast<const std::uint64_t*>(found) : ~std::uint64_t{0};
}

}  // namespace

TEST_CASE("there is no limit to resource types") {
    constexpr std::size_t count = CachedNumber::limit + 500;
    static Kinds& kinds = make_kinds(count);
    Store store{stoa::WorldOptions{}};
    for (std::size_t i = 0; i < count; ++i) put(store, kinds.handles[i], i);
    set_resource(store, 1.5);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < count; ++i) wrong += value_of(store, kinds.handles[i]) != i;
    CHECK(wrong == 0);
    CHECK(resource<double>(store) == 1.5);
    for (std::size_t i = 0; i < count; i += 2) wrong += !store.resources().remove(kinds.handles[i]);
    for (std::size_t i = 0; i < count; ++i) wrong += (value_of(store, kinds.handles[i]) == i) != (i % 2 == 1);
    CHECK(wrong == 0);
    check(store);
    const Store other{stoa::WorldOptions{}};
    CHECK(value_of(other, kinds.handles[7]) == ~std::uint64_t{0});
    CHECK(value_of(other, kinds.handles[count - 1]) == ~std::uint64_t{0});
}
