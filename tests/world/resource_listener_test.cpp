// Guards what the library's own later parts hear of resources: that one has come, that one is about to go, and nothing
// else; and the ids and versions that they keep.

#include <stoa/detail/storage/introspection.hpp>
#include <stoa/detail/storage/resource_verbs.hpp>
#include <stoa/error.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace stoa::detail;

namespace {

struct Pinned {
    explicit Pinned(int number) : value(number) {}
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
    int value;
};

struct Ear final : ResourceListener {
    explicit Ear(Store& heard) : store(heard) { store.resources().set_listener(this); }
    ~Ear() { store.resources().set_listener(nullptr); }
    Ear(const Ear&) = delete;
    Ear& operator=(const Ear&) = delete;

    void resource_added(ResourceId id) override {
        note('+', id);
        if (on_added) on_added();
    }
    void resource_removing(ResourceId id) override {
        note('-', id);
        if (on_removing) on_removing();
    }
    void note(char sign, ResourceId id) {
        CHECK(store.resources().has(id));
        CHECK(store.locked());
        log += sign;
        const bool is_int = id == store.resources().id_of(resource_handle<int>);
        const bool is_pinned = id == store.resources().id_of(resource_handle<Pinned>);
        log += is_int ? 'i' : is_pinned ? 'p' : '?';
    }

    Store& store;
    std::string log;
    std::function<void()> on_added;
    std::function<void()> on_removing;
};

struct Scene {
    Store store{stoa::WorldOptions{}};
    Ear ear{store};
};

}  // namespace

TEST_CASE("a listener hears what comes and goes, and not what is replaced") {
    Scene scene;
    set_resource(scene.store, 1);
    set_resource(scene.store, 2);
    emplace_resource<Pinned>(scene.store, 3);
    emplace_resource<Pinned>(scene.store, 4);
    CHECK(scene.ear.log == "+i+p");
    CHECK(remove_resource<int>(scene.store));
    CHECK_FALSE(remove_resource<int>(scene.store));
    CHECK(remove_resource<Pinned>(scene.store));
    CHECK(scene.ear.log == "+i+p-i-p");
    CHECK_FALSE(scene.store.locked());
}

TEST_CASE("the end of a world is not told") {
    std::string log;
    {
        Store store{stoa::WorldOptions{}};
        Ear ear{store};
        set_resource(store, 1);
        store.resources().end_all();
        log = ear.log;
    }
    CHECK(log == "+i");
}

TEST_CASE("ids are told apart, stay, and answer whether there is a value") {
    Scene scene;
    Resources& resources = scene.store.resources();
    const ResourceId number = resources.id_of(resource_handle<int>);
    const ResourceId pinned = resources.id_of(resource_handle<Pinned>);
    CHECK(number != pinned);
    CHECK_FALSE(resources.has(number));
    CHECK_FALSE(resources.has(ResourceId{0xffffffff}));
    set_resource(scene.store, 1);
    CHECK(resources.has(number));
    CHECK_FALSE(resources.has(pinned));
    CHECK(resources.find(number) == find_resource<int>(scene.store));
    remove_resource<int>(scene.store);
    CHECK_FALSE(resources.has(number));
    CHECK(resources.id_of(resource_handle<int>) == number);
    const Store other{stoa::WorldOptions{}};
    CHECK(other.resources().id_of(resource_handle<int>) == number);
}

TEST_CASE("the version of a resource moves on when it comes, is replaced or goes") {
    Scene scene;
    Resources& resources = scene.store.resources();
    const ResourceId number = resources.id_of(resource_handle<int>);
    const ResourceId pinned = resources.id_of(resource_handle<Pinned>);
    std::vector<std::uint32_t> versions{resources.version(number)};
    const auto moved_on = [&](ResourceId id) {
        versions.push_back(resources.version(id));
        return versions.back() == versions[versions.size() - 2] + 1;
    };
    set_resource(scene.store, 1);
    CHECK(moved_on(number));
    set_resource(scene.store, 2);
    CHECK(moved_on(number));
    resource<int>(scene.store) = 3;
    CHECK_FALSE(moved_on(number));
    remove_resource<int>(scene.store);
    CHECK(moved_on(number));
    set_resource(scene.store, 4);
    CHECK(moved_on(number));
    versions = {resources.version(pinned)};
    emplace_resource<Pinned>(scene.store, 1);
    CHECK(moved_on(pinned));
    emplace_resource<Pinned>(scene.store, 2);
    CHECK(moved_on(pinned));
    remove_resource<Pinned>(scene.store);
    CHECK(moved_on(pinned));
}

TEST_CASE("when a listener throws, the change stands") {
    Scene scene;
    scene.ear.on_added = scene.ear.on_removing = [] { throw std::runtime_error{"no"}; };
    CHECK_THROWS_AS(set_resource(scene.store, 1), std::runtime_error);
    CHECK(resource<int>(scene.store) == 1);
    CHECK_THROWS_AS(emplace_resource<Pinned>(scene.store, 2), std::runtime_error);
    CHECK(resource<Pinned>(scene.store).value == 2);
    CHECK_THROWS_AS(remove_resource<int>(scene.store), std::runtime_error);
    CHECK(find_resource<int>(scene.store) == nullptr);
    CHECK_FALSE(scene.store.locked());
    check(scene.store);
}

TEST_CASE("a listener may remove what has come") {
    Scene scene;
    scene.ear.on_added = [&] { remove_resource<Pinned>(scene.store); };
    CHECK_THROWS_AS(emplace_resource<Pinned>(scene.store, 1), stoa::Error);
    CHECK(scene.ear.log == "+p-p");
    CHECK(find_resource<Pinned>(scene.store) == nullptr);
    check(scene.store);
}

TEST_CASE_TEMPLATE("what is leaving can be read and replaced, is not removed twice, and leaves", R, int, Pinned) {
    Scene scene;
    emplace_resource<R>(scene.store, 1);
    bool removed = true;
    scene.ear.on_removing = [&] {
        removed = remove_resource<R>(scene.store);
        emplace_resource<R>(scene.store, 2);
        removed |= remove_resource<R>(scene.store);
        check(scene.store);
    };
    CHECK(remove_resource<R>(scene.store));
    CHECK_FALSE(removed);
    CHECK(scene.ear.log.size() == 4);
    CHECK(find_resource<R>(scene.store) == nullptr);
    scene.ear.on_removing = nullptr;
    emplace_resource<R>(scene.store, 3);
    CHECK(remove_resource<R>(scene.store));
    CHECK(scene.ear.log.size() == 8);
    check(scene.store);
}

TEST_CASE("a listener may set and remove other resources") {
    Scene scene;
    scene.ear.on_added = [&] {
        if (find_resource<int>(scene.store) == nullptr) set_resource(scene.store, 5);
    };
    scene.ear.on_removing = [&] { remove_resource<int>(scene.store); };
    emplace_resource<Pinned>(scene.store, 1);
    CHECK(scene.ear.log == "+p+i");
    CHECK(remove_resource<Pinned>(scene.store));
    CHECK(scene.ear.log == "+p+i-p-i");
    CHECK(find_resource<int>(scene.store) == nullptr);
    check(scene.store);
}
