// Guards the alignment of components: every power of two up to 4096, in tables and in sparse storage, before and after
// rows move and storage grows (W-TI-6).

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

using stoa::Entity;
using stoa::World;

namespace {

template <std::size_t Bytes, stoa::Storage Where>
struct alignas(Bytes) Aligned {
    static constexpr std::size_t alignment = Bytes;
    unsigned char value = 0;
    static constexpr stoa::Traits stoa_traits{.storage = Where};
};

template <std::size_t Bytes>
using InTable = Aligned<Bytes, stoa::Storage::table>;
template <std::size_t Bytes>
using InSparse = Aligned<Bytes, stoa::Storage::sparse>;

struct Odd {
    unsigned char bytes[13] = {};
};

struct Other {
    int value = 0;
};

template <class T>
bool is_aligned(const T& value) {
    return reinterpret_cast<std::uintptr_t>(&value) % alignof(T) == 0;
}

}  // namespace

TEST_CASE_TEMPLATE("a component is aligned wherever it goes", T, InTable<1>, InTable<2>, InTable<4>, InTable<8>,
                   InTable<16>, InTable<32>, InTable<64>, InTable<128>, InTable<256>, InTable<512>, InTable<1024>,
                   InTable<2048>, InTable<4096>, InSparse<1>, InSparse<8>, InSparse<16>, InSparse<64>, InSparse<128>,
                   InSparse<256>, InSparse<1024>, InSparse<4096>) {
    World world;
    std::vector<Entity> made;
    for (int i = 0; i < 150; ++i) {
        T value;
        value.value = static_cast<unsigned char>(i);
        made.push_back(world.spawn(Odd{}, value));
    }
    for (std::size_t i = 0; i < made.size(); i += 2) world.add<Other>(made[i]);
    for (std::size_t i = 0; i < made.size(); i += 5) world.remove<Odd>(made[i]);
    for (std::size_t i = 0; i < made.size(); ++i) {
        const T& value = world.get<const T>(made[i]);
        REQUIRE(is_aligned(value));
        REQUIRE(value.value == static_cast<unsigned char>(i));
    }
    world.check();
}

TEST_CASE("components of odd sizes beside each other are all aligned") {
    World world;
    std::vector<Entity> made;
    for (int i = 0; i < 500; ++i) made.push_back(world.spawn('c', 1.0, Odd{}, short{1}, 2, InTable<32>{}));
    for (const Entity e : made) {
        REQUIRE(is_aligned(world.get<const double>(e)));
        REQUIRE(is_aligned(world.get<const short>(e)));
        REQUIRE(is_aligned(world.get<const int>(e)));
        REQUIRE(is_aligned(world.get<const InTable<32>>(e)));
    }
}

TEST_CASE("a default-constructed over-aligned component is aligned while it is constructed") {
    struct alignas(512) Witness {
        Witness() : aligned(reinterpret_cast<std::uintptr_t>(this) % 512 == 0) {}
        bool aligned;
    };
    World world;
    for (int i = 0; i < 20; ++i) CHECK(world.get<const Witness>(world.spawn<Witness, Odd>()).aligned);
}
