// Random verbs of every kind on a world and on the model beside it. Each returns what it did to whom, as the model has
// it. Called by the random tests of this room.
#pragma once

#include "oracle.hpp"
#include "support/random.hpp"

#include <algorithm>

namespace watch_test {

class RandomVerbs {
  public:
    RandomVerbs(stoa::World& world, std::uint64_t seed) : world_(world), random_(seed) {}

    /// Does something, and says what it did. `in_order`: the steps are in the order in which they were told.
    std::vector<Step> step(bool& in_order);

    const std::map<Entity, Form>& model() const { return model_; }
    int value(Entity entity) { return world_.get<const A>(entity).value; }
    stoa_test::Random& random() { return random_; }

  private:
    Form form_of(Entity entity) const {
        const auto at = model_.find(entity);
        return at != model_.end() ? at->second : Form{};
    }
    Step change(Entity entity, Form after, unsigned written = 0) {
        const Step done{entity, form_of(entity), after, written};
        if (after.there) {
            model_[entity] = after;
        } else {
            model_.erase(entity);
        }
        return done;
    }
    Entity pick() {
        if (model_.empty()) return {};
        auto at = model_.begin();
        std::advance(at, random_.below(static_cast<std::uint32_t>(model_.size())));
        return at->first;
    }
    Form without(Form form, unsigned bits) const {
        form.has &= ~bits;
        if (form.ghost && form.has == 0) form.there = false;
        return form;
    }
    Form despawned(const Form& form) const {
        if ((form.has & cleanup) == 0) return {};
        return {true, true, form.has & cleanup};
    }
    int number() { return static_cast<int>(random_.below(20)); }

    std::vector<Step> spawn(bool& in_order);
    std::vector<Step> edit(Entity entity);
    std::vector<Step> remove(Entity entity);
    std::vector<Step> write(Entity entity);
    std::vector<Step> bulk();
    std::vector<Step> clear() {
        std::vector<Step> steps;
        for (const auto& [entity, form] : model_) steps.push_back({entity, form, {}, 0});
        model_.clear();
        return steps;
    }
    template <class Change>
    std::vector<Step> to_all(const Ask& ask, Change&& change);

    stoa::World& world_;
    stoa_test::Random random_;
    std::map<Entity, Form> model_;
};

inline std::vector<Step> RandomVerbs::spawn(bool& in_order) {
    in_order = true;
    std::vector<Step> steps;
    const auto born = [&](Entity entity, unsigned has) { steps.push_back(change(entity, {true, false, has})); };
    const int v = number();
    switch (random_.below(12)) {
        case 0:
            born(world_.spawn(), 0);
            break;
        case 1:
            born(world_.spawn(A{v}, C{v}), Bit::a | Bit::c);
            break;
        case 2:
            born(world_.spawn(A{v}, S{v}, Tag{}), Bit::a | Bit::s | Bit::tag);
            break;
        case 3:
            born(world_.spawn(make<B>(v), K{v}, F{}), Bit::b | Bit::k | Bit::f);
            break;
        case 4:
            born(world_.spawn<G, H, A>(), Bit::g | Bit::h | Bit::a);
            break;
        case 5:
            born(world_.spawn<S>(), Bit::s);
            break;
        case 6:
            born(world_.table<A, C>().spawn(A{v}, C{v}), Bit::a | Bit::c);
            break;
        case 7:
            born(world_.table<A, B>().spawn([&](A& made, B&) { made.value = v; }), Bit::a | Bit::b);
            break;
        case 8: {
            std::vector<Entity> ids(random_.below(12));
            world_.spawn_many(std::span{ids}, A{v}, S{v}, make<B>(v));
            for (const Entity id : ids) born(id, Bit::a | Bit::s | Bit::b);
            break;
        }
        case 9: {
            std::vector<Entity> ids(random_.below(12));
            std::vector<A> as(ids.size());
            for (A& made : as) made.value = number();
            std::vector<C> cs(ids.size());
            world_.spawn_columns(std::span{ids}, std::span{as}, std::span{cs});
            for (const Entity id : ids) born(id, Bit::a | Bit::c);
            break;
        }
        default: {
            const Entity model = pick();
            const Form form = form_of(model);
            if (form.there && !form.ghost) born(world_.clone(model), form.has & ~cleanup);
        }
    }
    return steps;
}

inline std::vector<Step> RandomVerbs::edit(Entity entity) {
    const Form form = form_of(entity);
    if (!form.there || form.ghost) return {};
    const unsigned kind = random_.below(kinds);
    const int v = number();
    Form after = form;
    unsigned written = 0;
    const auto put = [&](unsigned bits, bool replaces) {
        after.has |= bits;
        if (replaces) written = bits & form.has & valued;
    };
    switch (random_.below(7)) {
        case 0:
            with_kind(kind, [&]<class T>() { world_.add<T>(entity); });
            put(1u << kind, false);
            break;
        case 1:
            with_kind(kind, [&]<class T>() { world_.set(entity, make<T>(v)); });
            put(1u << kind, true);
            break;
        case 2:
            with_kind(kind, [&]<class T>() {
                if constexpr (std::is_same_v<T, K> || std::is_same_v<T, A>) {
                    world_.emplace<T>(entity, v);
                } else {
                    world_.emplace<T>(entity);
                }
            });
            put(1u << kind, true);
            break;
        case 3:
            with_pair(kind, [&]<class T, class U>() { world_.add<T, U>(entity); });
            put(pair_bits(kind), false);
            break;
        case 4:
            with_pair(kind, [&]<class T, class U>() { world_.set(entity, make<T>(v), make<U>(v)); });
            put(pair_bits(kind), true);
            break;
        case 5: {
            const unsigned first = 1u << kind;
            with_pair(kind, [&]<class T, class U>() { world_.replace<T>(entity, make<U>(v)); });
            if ((form.has & first) == 0) return {};
            put(pair_bits(kind) & ~first, true);
            after.has &= ~first;
            break;
        }
        default: {
            const Entity from = pick();
            const Form source = form_of(from);
            if (!source.there || source.ghost || from == entity) return {};
            world_.copy(from, entity);
            put(source.has & ~cleanup, true);
        }
    }
    return {change(entity, after, written)};
}

inline std::vector<Step> RandomVerbs::remove(Entity entity) {
    const Form form = form_of(entity);
    if (!form.there) return {};
    const unsigned kind = random_.below(kinds);
    switch (random_.below(8)) {
        case 0:
        case 1:
            if (form.ghost && random_.one_in(2)) return {};
            if (!form.ghost) {
                world_.despawn(entity);
                return {change(entity, despawned(form))};
            }
            [[fallthrough]];
        case 2:
        case 3:
        case 4:
            with_kind(kind, [&]<class T>() { world_.remove<T>(entity); });
            return {change(entity, without(form, 1u << kind))};
        case 5:
        case 6:
            with_pair(kind, [&]<class T, class U>() { world_.remove<T, U>(entity); });
            return {change(entity, without(form, pair_bits(kind)))};
        default:
            world_.remove_all(entity);
            return {change(entity, form.ghost ? form : without(form, ~cleanup))};
    }
}

inline std::vector<Step> RandomVerbs::write(Entity entity) {
    const Form form = form_of(entity);
    if (!form.there) return {};
    const int v = number();
    unsigned written = 0;
    switch (random_.below(5)) {
        case 0:
            if (A* found = world_.find<A>(entity)) {
                found->value = v;
                written = Bit::a;
            }
            break;
        case 1:
            written = world_.find<S>(entity) != nullptr ? Bit::s : 0u;
            break;
        case 2:
            written = world_.find<G>(entity) != nullptr ? Bit::g : 0u;
            break;
        case 3:
            world_.query<stoa::Mut<A>>().fetch(entity, [&](stoa::Mut<A> m) {
                m.write().value = v;
                written = Bit::a;
            });
            break;
        default:
            written = world_.find<H>(entity) != nullptr ? Bit::h : 0u;
    }
    return {change(entity, form, written)};
}

template <class Change>
std::vector<Step> RandomVerbs::to_all(const Ask& ask, Change&& change_one) {
    std::vector<Entity> matching;
    for (const auto& [entity, form] : model_) {
        if (ask.matches(form)) matching.push_back(entity);
    }
    std::vector<Step> steps;
    for (const Entity entity : matching) {
        const Form form = form_of(entity);
        unsigned written = 0;
        const Form after = change_one(form, written);
        steps.push_back(change(entity, after, written));
    }
    return steps;
}

inline std::vector<Step> RandomVerbs::bulk() {
    const auto add = [](unsigned bits, bool replaces) {
        return [=](Form form, unsigned& written) {
            if (form.ghost) return form;
            if (replaces) written = bits & form.has & valued;
            form.has |= bits;
            return form;
        };
    };
    const auto take = [&](unsigned bits) {
        return [=, this](const Form& form, unsigned&) { return without(form, bits); };
    };
    const auto swap = [](unsigned first, unsigned second) {
        return [=](Form form, unsigned& written) {
            if (form.ghost || (form.has & first) == 0) return form;
            written = second & form.has & valued;
            form.has = (form.has & ~first) | second;
            return form;
        };
    };
    const auto end = [&](const Form& form, unsigned&) { return form.ghost ? form : despawned(form); };
    const int v = number();
    switch (random_.below(16)) {
        case 0:
            world_.query<A>().add_all<Tag>();
            return to_all({.required = Bit::a}, add(Bit::tag, false));
        case 1:
            world_.query<A>().add_all<C, Tag>();
            return to_all({.required = Bit::a}, add(Bit::c | Bit::tag, false));
        case 2:
            world_.query<C>().set_all(A{v});
            return to_all({.required = Bit::c}, add(Bit::a, true));
        case 3:
            world_.query<C>().set_all(A{v}, C{v});
            return to_all({.required = Bit::c}, add(Bit::a | Bit::c, true));
        case 4:
            world_.query<A>().remove_all<Tag>();
            return to_all({.required = Bit::a}, take(Bit::tag));
        case 5:
            world_.query<C>().remove_all<A, C>();
            return to_all({.required = Bit::c}, take(Bit::a | Bit::c));
        case 6:
            world_.query<B>().remove_all<B>();
            return to_all({.required = Bit::b}, take(Bit::b));
        case 7:
            world_.query<S>().remove_all<S>();
            return to_all({.required = Bit::s}, take(Bit::s));
        case 8:
            world_.query<A>().add_all<S>();
            return to_all({.required = Bit::a}, add(Bit::s, false));
        case 9:
            world_.query<G>().remove_all<G>();
            return to_all({.required = Bit::g}, take(Bit::g));
        case 10:
            world_.query<C, stoa::Without<G>>().despawn_all();
            return to_all({.required = Bit::c, .excluded = Bit::g}, end);
        case 11:
            world_.query<H, stoa::Without<B>>().despawn_all();
            return to_all({.required = Bit::h, .excluded = Bit::b}, end);
        case 12:
            world_.query<K>().set_all(K{v}, make<B>(v));
            return to_all({.required = Bit::k}, add(Bit::k | Bit::b, true));
        case 13:
            world_.query<A>().replace_all<C>(Tag{});
            return to_all({.required = Bit::a}, swap(Bit::c, Bit::tag));
        case 14:
            world_.query<B>().replace_all<K>(A{v});
            return to_all({.required = Bit::b}, swap(Bit::k, Bit::a));
        default:
            if (!random_.one_in(5)) return {};
            world_.clear();
            return clear();
    }
}

inline std::vector<Step> RandomVerbs::step(bool& in_order) {
    in_order = true;
    const std::uint32_t roll = random_.below(100);
    if (model_.size() > 150 || roll >= 97) {
        in_order = false;
        return bulk();
    }
    if (roll < 25) return spawn(in_order);
    if (roll < 60) return edit(pick());
    if (roll < 80) return remove(pick());
    return write(pick());
}

}  // namespace watch_test
