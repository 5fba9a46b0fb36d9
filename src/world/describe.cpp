// Worlds and entities as text, for debuggers and logs. Out of line, so that a debugger can call it.
#include <string>

#include "stoa/detail/storage/introspection.hpp"
#include "stoa/world.hpp"

namespace stoa {
namespace {

// Index and generation as <stoa/print.hpp> writes them, without its streams.
std::string text_of(Entity entity) {
    if (!entity) return "null";
    return std::to_string(entity.index()) + "v" + std::to_string(entity.generation());
}

// A tag is its name alone; the fields of other components are not known here.
std::string text_of(const ComponentInfo& component) {
    return component.size == 0 ? std::string(component.name) : std::string(component.name) + "{\u2026}";
}

std::string list_of(const std::vector<ComponentInfo>& components) {
    std::string text;
    for (const ComponentInfo& component : components) {
        if (!text.empty()) text += ", ";
        text += text_of(component);
    }
    return text;
}

std::string count_of(std::size_t count, const char* one, const char* many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace

std::string World::describe(Entity entity) const {
    if (!entity) return "null";
    if (!alive(entity)) return text_of(entity) + ": dead";
    const std::string components = list_of(this->components(entity));
    return text_of(entity) + ":" + (components.empty() ? "" : " ") + components;
}

std::string World::describe() const {
    const Stats all = stats();
    const std::vector<std::string_view> resources = store_->resources().names();
    std::string text = count_of(all.entities, "entity", "entities") + ", " + count_of(all.tables, "table", "tables") +
                       ", " + count_of(all.queries, "query", "queries") + ", " +
                       count_of(resources.size(), "resource", "resources") + "\n";
    for (const TableInfo& table : tables()) {
        const std::string components = list_of(table.components);
        text += "  " + (components.empty() ? std::string("(no components)") : components) + ": " +
                count_of(table.rows, "row", "rows") + ", " + count_of(table.bytes, "byte", "bytes") + "\n";
    }
    for (const std::string_view name : resources) text += "  resource " + std::string(name) + "\n";
    return text;
}

}  // namespace stoa
