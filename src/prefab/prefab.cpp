// Prefabs: the parts of a new entity, from stored values and given ones.
#include <algorithm>
#include <memory>

#include "base/raise.hpp"
#include "component/library_types.hpp"
#include "stoa/detail/prefab/prefab_values.hpp"
#include "stoa/detail/storage/spawn_parts.hpp"

namespace stoa::detail {
namespace {

// The parts of one call, in place when they are few, so that a steady state allocates nothing. Those in place are not
// initialized.
class PartList {
  public:
    explicit PartList(std::size_t count) {
        if (count > few) many_ = std::make_unique<RowPart[]>(count);
    }
    RowPart* data() { return many_ != nullptr ? many_.get() : parts_; }

  private:
    static constexpr std::size_t few = 32;
    RowPart parts_[few];
    std::unique_ptr<RowPart[]> many_;
};

}  // namespace

void PrefabBase::fail_gone() {
    raise(Errc::world_gone, "spawn: the world of this prefab is gone; make the prefab again for a living world");
}

void PrefabBase::name_uses(const LibraryTypes& types, UsesLeft& uses) const {
    const Store* world = find_store();
    if (world == nullptr) return;
    for (std::uint32_t i = 0; i < list().count; ++i) {
        const TypeHandle* type = list().types[i];
        if (types.has(world->id_of(*list().types[i])))
            return uses.add("a prefab with " + std::string(type->type->name()));
    }
    if (types.contains(functions_of(*this))) uses.add("a prefab with code of the library");
}

void fail_prefab_moved() {
    raise(Errc::world_gone, "spawn: this prefab was moved from; use the one that it was moved to");
}

Entity PrefabBase::spawn_parts(TypeList& given, std::span<const RowPart> overrides) const {
    Store& to = store();
    PartList all(size() + overrides.size());
    RowPart* const own = all.data();
    parts(own);
    // A given value takes the place of a stored one; a component that is only required does not.
    const auto is_required = [](const RowPart& part) { return part.source == RowPart::Source::construct; };
    const auto same_as = [&](const RowPart& part) {
        return [&to, id = to.id_of(*part.handle)](const RowPart& other) { return to.id_of(*other.handle) == id; };
    };
    RowPart* const kept = std::remove_if(own, own + size(), [&](const RowPart& part) {
        const auto other = std::find_if(overrides.begin(), overrides.end(), same_as(part));
        return other != overrides.end() && !is_required(*other);
    });
    RowPart* const end = std::copy_if(overrides.begin(), overrides.end(), kept, [&](const RowPart& part) {
        return !is_required(part) || std::none_of(own, kept, same_as(part));
    });
    return detail::spawn_parts(to, list(), given, {own, end});
}

void PrefabBase::prewarm(std::uint64_t count) const {
    PartList all(size());
    parts(all.data());
    detail::prewarm(store(), list(), {all.data(), size()}, count);
}

}  // namespace stoa::detail
