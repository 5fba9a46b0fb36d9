// What World::forget_types works with: the types of one library, and the list of what is left of them. Each room adds
// to the list what it holds, and later drops the rest.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "component/libraries.hpp"
#include "stoa/detail/component/component_ops.hpp"

namespace stoa::detail {

// The types whose descriptions are in a library: it used them first. Made by Registry::types_of.
struct LibraryTypes {
    AddressRange range;
    std::string library;           // the name of its file
    std::vector<bool> components;  // by id
    std::vector<bool> resources;   // by number; messages are among them

    bool has(ComponentId id) const { return is_marked(components, static_cast<std::uint32_t>(id)); }
    bool has_resource(std::uint32_t number) const { return is_marked(resources, number); }
    // Whether an address is in the library: of an object, a function, or a table of virtual functions.
    bool contains(const void* address) const { return range.contains(address); }

  private:
    static bool is_marked(const std::vector<bool>& marks, std::uint32_t number) {
        return number < marks.size() && marks[number];
    }
};

// Where the virtual functions of an object are. In the Itanium C++ ABI, which every system with these libraries has,
// the first word of an object with virtual functions is the address of their table.
template <class T>
const void* functions_of(const T& object) noexcept {
    static_assert(std::is_polymorphic_v<T>);
    const void* table = nullptr;
    std::memcpy(&table, static_cast<const void*>(address_of(object)), sizeof table);
    return table;
}

// What is left of the types of a library, in words.
class UsesLeft {
  public:
    // Adds "values of Wet (3)", for example; nothing for a count of 0.
    void add(std::uint64_t count, std::string_view what, std::string_view name) {
        if (count == 0) return;
        add(what);
        text_ += name;
        text_ += " (" + std::to_string(count) + ")";
    }
    void add(std::string_view what) {
        if (!text_.empty()) text_ += ", ";
        text_ += what;
    }
    bool empty() const { return text_.empty(); }
    const std::string& text() const { return text_; }

  private:
    std::string text_;
};

}  // namespace stoa::detail
