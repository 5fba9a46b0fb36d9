// The walks of the subject, for each entity and for spans; see stoa_world.hpp. Called by the workloads.
#include "stoa_world.hpp"
#include "systems.hpp"

namespace bench {
namespace {

template <class T>
void double_each(const stoa::Query<T>& query) {
    query.each([](T& value) { value.v *= 2.0F; });
}

template <class T>
void double_spans(const stoa::Query<T>& query) {
    query.each_chunk([](std::span<T> values) {
        for (T& value : values) {
            value.v *= 2.0F;
        }
    });
}

void move_spans(std::span<Position> p, std::span<const Velocity> v) { move_all(p.data(), v.data(), p.size()); }

}  // namespace

void StoaWorld::iterate1() {
    one_.in(world_).each([](Position& p) { shift(p); });
}

void StoaWorld::iterate2() {
    two_.in(world_).each([](Position& p, const Velocity& v) { move(p, v); });
}

void StoaWorld::iterate3() {
    three_.in(world_).each([](Position& p, Velocity& v, const Acceleration& a) { accelerate(p, v, a); });
}

void StoaWorld::iterate_untagged() {
    untagged_.in(world_).each([](Position& p, const Velocity& v) { move(p, v); });
}

void StoaWorld::iterate1_chunks() {
    one_.in(world_).each_chunk([](std::span<Position> positions) {
        for (Position& p : positions) {
            shift(p);
        }
    });
}

void StoaWorld::iterate2_chunks() {
    two_.in(world_).each_chunk([](std::span<Position> p, std::span<const Velocity> v) { move_spans(p, v); });
}

void StoaWorld::iterate3_chunks() {
    three_.in(world_).each_chunk([](std::span<Position> p, std::span<Velocity> v, std::span<const Acceleration> a) {
        accelerate_all(p.data(), v.data(), a.data(), p.size());
    });
}

void StoaWorld::iterate_untagged_chunks() {
    untagged_.in(world_).each_chunk([](std::span<Position> p, std::span<const Velocity> v) { move_spans(p, v); });
}

void StoaWorld::double_five() {
    double_each(a_.in(world_));
    double_each(b_.in(world_));
    double_each(c_.in(world_));
    double_each(d_.in(world_));
    double_each(e_.in(world_));
}

void StoaWorld::double_five_chunks() {
    double_spans(a_.in(world_));
    double_spans(b_.in(world_));
    double_spans(c_.in(world_));
    double_spans(d_.in(world_));
    double_spans(e_.in(world_));
}

}  // namespace bench
