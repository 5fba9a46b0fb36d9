// The host of the forgetting test. Started with what happens when a forgotten library is closed, and with two versions
// of the library. It `unloads`; or it stays because of its copy of Stoa, which is `pinned`, or because of its `unique`
// symbols. Ends with 0 when everything holds; made for AddressSanitizer.
#include "forget.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <string_view>

using namespace forget_test;
using namespace stoa;

namespace {

int failures = 0;
bool unloads = true;
bool is_pinned = false;

void check(bool good, const char* what, int line, const std::string& detail = {}) {
    if (good) return;
    ++failures;
    std::fprintf(stderr, "forget_host.cpp:%d: failed: %s %s\n", line, what, detail.c_str());
}

#define HOST_CHECK(condition) check((condition), #condition, __LINE__)

long allocations_left = -1;  // then none succeeds; negative: all do

}  // namespace

// Not inline, so that the compiler does not see one half of a pair.
[[gnu::noinline]] void* operator new(std::size_t size) {
    if (allocations_left == 0) throw std::bad_alloc();
    if (allocations_left > 0) --allocations_left;
    void* const memory = std::malloc(size);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

bool is_loaded(const std::string& path) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
    if (library != nullptr) dlclose(library);
    return library != nullptr;
}

// A library that is open.
struct Library {
    explicit Library(const std::string& file) : path(file), handle(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        if (handle == nullptr) {
            std::fprintf(stderr, "forget_host: %s\n", dlerror());
            std::exit(2);
        }
        address = dlsym(handle, "plugin_functions");
        // Safe: the library says what its symbol is in the header that both share.
        functions = reinterpret_cast<FunctionsFunction>(address)();
    }
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    ~Library() { close(); }
    void close() {
        if (handle != nullptr) HOST_CHECK(dlclose(handle) == 0);
        handle = nullptr;
    }
    void close_and_check(int line) {
        close();
        check(!unloads || !is_loaded(path), "the library is gone", line);
        check(!is_pinned || is_loaded(path), "the library is still there", line);
    }

    std::string path;
    void* handle;
    void* address = nullptr;
    const Functions* functions = nullptr;
};

// The message of a refusal, or nothing.
std::string refusal(World& world, const void* address) {
    try {
        world.forget_types(address);
        return {};
    } catch (const Error& error) {
        HOST_CHECK(error.code() == Errc::conflict);
        return error.what();
    }
}

struct Expected {
    Way way;
    const char* text;  // of the refusal; null: nothing is left
};

constexpr Expected expectations[] = {
    {Way::value, "values of plugin_own::Cargo (1)"},
    {Way::tag, "values of plugin_own::Marked (1)"},
    {Way::sparse_value, "values of plugin_own::Wound (1)"},
    {Way::ghost, "values of plugin.handle (1)"},
    {Way::recycled, nullptr},
    {Way::shared_value, "values of forget_test::Label (1)"},
    {Way::shared_sparse_value, "values of forget_test::Scar (1)"},
    {Way::removed_value, "removed values of plugin_own::Cargo (1)"},
    {Way::resource, "the resource plugin_own::Settings"},
    {Way::message, "messages in Messages<plugin_own::Alarm> (1)"},
    {Way::reader, "readers of Messages<plugin_own::Alarm> (1)"},
    {Way::query, "queries of plugin_own::Cargo (1)"},
    {Way::query_without, "queries of plugin_own::Wound (1)"},
    {Way::family, "queries of plugin_own::Settings (1)"},
    {Way::subscription, "a subscription of plugin_own::Cargo"},
    {Way::subscription_to_host, "a subscription with code of the library"},
    {Way::watch, "a watch or cache of plugin_own::Cargo"},
    {Way::cache, "a watch or cache of plugin_own::Cargo"},
    {Way::index, "indexes of plugin.handle (1)"},
    {Way::prefab, "a prefab with plugin_own::Cargo"},
    {Way::prefab_of_host, "a prefab with code of the library"},
    {Way::command, "commands that wait for a flush (1)"},
    {Way::command_for_host, "commands that wait for a flush (1)"},
    {Way::command_to_run, "commands that wait for a flush (1)"},
    {Way::system, "system 'load' with plugin_own::Cargo"},
    {Way::system_for_host, "system 'move' with code of the library"},
    {Way::system_with_resource, "system 'set' with plugin_own::Settings"},
    {Way::condition, "the condition '!unnamed || once()' of 'idle' with plugin_own::Settings"},
    {Way::condition_of_phase, "the condition 'always' of 'plugin' with code of the library"},
};

struct Scene {
    World world;
    Schedule schedule{world};
    std::vector<Entity> movers;
    // The host is the first to use what it shares.
    MessageReader<Note> notes{world};

    Scene() {
        schedule.add_phase("update");
        schedule.add_phase("hosts");
        for (int i = 0; i < 10; ++i) movers.push_back(world.spawn(Position{double(i)}));
        world.set_resource(Score{"set by the host"});
    }
};

// Each way to hold a type is a reason to refuse, with its name, and only that; without it the types are forgotten, and
// the library can use them again.
void every_holder_is_named(const std::string& path) {
    Scene scene;
    Library library(path);
    for (const Expected& expected : expectations) {
        library.functions->hold(expected.way, scene.world, scene.schedule);
        const auto before = scene.world.stats();
        const std::string text = refusal(scene.world, library.address);
        const bool named = expected.text == nullptr ? text.empty() : text.find(expected.text) != std::string::npos;
        check(named, expected.text != nullptr ? expected.text : "nothing is left", __LINE__, text);
        scene.world.check();
        if (expected.text != nullptr) HOST_CHECK(scene.world.stats().tables == before.tables);
        library.functions->let_go(expected.way, scene.world, scene.schedule);
        const std::string still = refusal(scene.world, library.address);
        check(still.empty(), expected.text, __LINE__, still);
        scene.world.check();
        HOST_CHECK(library.functions->carries(scene.world));
        HOST_CHECK(scene.world.query<Position>().count() == 10);
    }
    scene.world.forget_types(library.address);
    library.close_and_check(__LINE__);
}

// What belongs to the world until its end, or to the schedule, cannot be let go alone.
void the_end_of_a_world_lets_go(const std::string& path, Way way, const char* text) {
    Library library(path);
    {
        Scene scene;
        library.functions->hold(way, scene.world, scene.schedule);
        const std::string refused = refusal(scene.world, library.address);
        check(refused.find(text) != std::string::npos, text, __LINE__, refused);
    }
    World another;
    another.forget_types(library.address);
    library.close_and_check(__LINE__);
}

void state_is_kept_when_the_library_is_replaced(const std::string& first, const std::string& second) {
    const std::string live = first + ".live.so";
    Scene scene;
    double expected = 0;
    unsigned bytes = 0;
    for (const std::string& version : {first, second, first}) {
        std::filesystem::remove(live);
        std::filesystem::copy_file(version, live);
        Library library(live);
        if (unloads) HOST_CHECK(library.functions->version == (version == first ? 1 : 2));
        if (unloads) HOST_CHECK(library.functions->cargo_bytes != bytes);
        bytes = library.functions->cargo_bytes;
        library.functions->start(scene.world, scene.schedule);
        HOST_CHECK(library.functions->carries(scene.world));
        scene.schedule.update(0.1);
        expected += library.functions->version;
        library.functions->stop(scene.world, scene.schedule);
        scene.world.forget_types(library.address);
        library.close_and_check(__LINE__);

        for (std::size_t i = 0; i < 10; ++i)
            HOST_CHECK(scene.world.get<const Position>(scene.movers[i]).x == double(i) + expected);
        HOST_CHECK(scene.world.resource<const Score>().text.find("set by the library") == 0);
        HOST_CHECK(scene.notes.size() == 1);
        for (const Note& note : scene.notes.read()) HOST_CHECK(note.text.find("sent by the library") == 0);
        scene.world.remove_resource<Score>();
        scene.world.check();
    }
    std::filesystem::remove(live);
}

void use_shared(World& world) {
    const Entity e = world.spawn(Label{"the host's own label, which is allocated"}, Position{});
    world.set(e, Scar{"the host's own scar, which is allocated as well"});
    world.commands().set(e, Label{"recorded by the host, and allocated"});
    world.flush();
    HOST_CHECK(world.get<const Label>(e).text == "recorded by the host, and allocated");
    HOST_CHECK((world.query<Label, const Scar>().count() == 1));
    world.check();
    HOST_CHECK(world.despawn(e));
}

// The host has asked for the types of the library, and goes on with descriptions of its own.
void types_of_both_sides_survive(const std::string& path) {
    Scene scene;
    Library library(path);
    library.functions->hold(Way::shared_value, scene.world, scene.schedule);
    library.functions->let_go(Way::shared_value, scene.world, scene.schedule);
    library.functions->hold(Way::shared_sparse_value, scene.world, scene.schedule);
    HOST_CHECK(scene.world.query<Scar>().count() == 1);
    library.functions->let_go(Way::shared_sparse_value, scene.world, scene.schedule);
    use_shared(scene.world);
    const ComponentId label = scene.world.component<Label>().id;
    scene.world.forget_types(library.address);
    library.close_and_check(__LINE__);
    use_shared(scene.world);
    HOST_CHECK(scene.world.component<Label>().id == label);
    HOST_CHECK(scene.world.component<Label>().name == "forget_test::Label");
    if (is_pinned) return;  // its types are only forgotten by the world
    // The next library finds them as types of the host: values do not hinder it.
    Library again(path);
    again.functions->hold(Way::shared_value, scene.world, scene.schedule);
    HOST_CHECK(scene.world.query<Label>().count() == 1);
    scene.world.forget_types(again.address);
    again.close_and_check(__LINE__);
    scene.world.query<Label>().each([](const Label& l) { HOST_CHECK(l.text.find("a label") == 0); });
}

void other_worlds_keep_the_library(const std::string& path) {
    Scene first;
    auto second = std::make_unique<Scene>();
    Library library(path);
    HOST_CHECK(library.functions->carries(first.world));
    library.functions->hold(Way::value, second->world, second->schedule);
    library.functions->hold(Way::sparse_value, second->world, second->schedule);
    first.world.forget_types(library.address);
    library.close();
    HOST_CHECK(is_loaded(path));
    second->world.check();
    const Entity twin = second->world.clone(second->world.query<Position, Without<Label>>().ordered().first());
    HOST_CHECK(second->world.alive(twin));
    HOST_CHECK(!refusal(second->world, library.address).empty());
    HOST_CHECK(second->world.query<Position>().despawn_all() == 13);
    second->world.forget_types(library.address);
    HOST_CHECK(!unloads || !is_loaded(path));

    // The end of a world lets go too; the next call for any world completes it.
    Library again(path);
    again.functions->hold(Way::system_for_host, second->world, second->schedule);
    first.world.forget_types(again.address);
    again.close();
    HOST_CHECK(is_loaded(path));
    second->schedule.update(0.1);
    second.reset();
    first.world.forget_types(again.address);
    HOST_CHECK(is_loaded(path) == !unloads);
}

// Without memory nothing is forgotten.
void nothing_is_lost_without_memory(const std::string& path) {
    Scene scene;
    Library library(path);
    HOST_CHECK(library.functions->carries(scene.world));
    library.functions->hold(Way::value, scene.world, scene.schedule);
    const auto sweep = [&](bool refused) {
        for (long nth = 0;; ++nth) {
            HOST_CHECK(nth < 10000);
            bool failed = false;
            allocations_left = nth;
            try {
                scene.world.forget_types(library.address);
            } catch (const std::bad_alloc&) {
                failed = true;
            } catch (const Error& error) {
                HOST_CHECK(refused && error.code() == Errc::conflict);
            }
            allocations_left = -1;
            scene.world.check();
            if (!failed) return;
        }
    };
    sweep(true);
    HOST_CHECK(scene.world.stats().entities == 11);
    library.functions->let_go(Way::value, scene.world, scene.schedule);
    sweep(false);
    library.close_and_check(__LINE__);
    HOST_CHECK(scene.world.query<Position>().count() == 10);
}

void wrong_addresses_are_refused(const std::string& path) {
    Scene scene;
    Library library(path);
    const auto code_of = [&](const void* address) {
        try {
            scene.world.forget_types(address);
        } catch (const Error& error) {
            return error.code();
        }
        return Errc::corrupt;
    };
    const int on_the_stack = 0;
    HOST_CHECK(code_of(nullptr) == Errc::unknown_name);
    HOST_CHECK(code_of(&on_the_stack) == Errc::unknown_name);
    HOST_CHECK(code_of(&scene.movers[0]) == Errc::unknown_name);
    HOST_CHECK(code_of(&failures) == Errc::conflict);  // the program: it has values
    scene.world.query<Position>().each(
        [&](Entity, Position&) { HOST_CHECK(code_of(library.address) == Errc::locked); });
    scene.world.commands().run([&](World&) { HOST_CHECK(code_of(library.address) == Errc::locked); });
    scene.world.flush();
    World empty;
    empty.forget_types(&failures);  // nothing to forget, and the types of the program stay
    use_shared(empty);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: forget_host unloads|pinned|unique <library> <another version>\n");
        return 2;
    }
    unloads = std::string_view(argv[1]) == "unloads";
    is_pinned = std::string_view(argv[1]) == "pinned";
    const std::string first = argv[2];
    const std::string second = argv[3];
    every_holder_is_named(first);  // before the host itself uses a type of the library
    types_of_both_sides_survive(first);
    the_end_of_a_world_lets_go(first, Way::released_subscription, "a subscription of plugin_own::Wound");
    the_end_of_a_world_lets_go(first, Way::state, "the state stoa::State<plugin_own::Mode>");
    state_is_kept_when_the_library_is_replaced(first, second);
    other_worlds_keep_the_library(first);
    nothing_is_lost_without_memory(first);
    wrong_addresses_are_refused(first);
    if (failures == 0) std::puts("forgotten types leave nothing behind");
    return failures == 0 ? 0 : 1;
}
