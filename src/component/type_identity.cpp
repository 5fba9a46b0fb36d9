// Decides whether two descriptions are of one type. Within one program or library the linker has merged the anchors of
// equal types, so their addresses decide. Between two libraries the names must be equal, and must be names that no
// other type can have. Comparing std::type_info is not enough: g++ marks the names of types that belong to one file,
// clang does not.
#include "stoa/detail/component/component_ops.hpp"

#if defined(__cpp_rtti)
#include <typeinfo>
#endif

namespace stoa::detail {
namespace {

using namespace std::string_view_literals;

// Reads the name that std::type_info gives a type (in the Itanium C++ ABI, without `_Z`), and looks for something that
// another library may have under the same name: a local type, an unnamed namespace, a `static` object or function. The
// grammar is read far enough to distinguish identifiers from the letters between them. names_local_type has rejected
// names with lambdas and unnamed types before.
class MangledName {
  public:
    explicit MangledName(std::string_view text) : rest_(text) {}

    bool mentions_local() {
        while (!rest_.empty() && !found_) item(Part::type);
        return found_;
    }

  private:
    enum class Part { type, name, value };

    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    char next() const { return rest_.empty() ? '\0' : rest_.front(); }
    char take() {
        const char c = next();
        drop(1);
        return c;
    }
    void drop(std::size_t count) { rest_.remove_prefix(count < rest_.size() ? count : rest_.size()); }
    void drop_through(char last) { drop(rest_.find(last) < rest_.size() ? rest_.find(last) + 1 : rest_.size()); }

    // A length, and that number of letters. Unnamed namespaces and types have names that no source can contain.
    void identifier() {
        std::size_t length = 0;
        while (is_digit(next())) length = length * 10 + static_cast<std::size_t>(take() - '0');
        const std::string_view text = rest_.substr(0, length);
        found_ |= text.starts_with("_GLOBAL__N") || text.starts_with('$') || text.starts_with('.');
        drop(length);
    }

    void items_to_end(Part part) {
        while (!rest_.empty() && !found_ && next() != 'E') item(part);
        take();
    }

    // A template argument that is a value: the address of an object or function, or a type and a number.
    void constant() {
        if (next() == '_') {
            drop(2);  // _Z
            item(Part::name);
            items_to_end(Part::type);
        } else {
            item(Part::type);
            drop_through('E');
        }
    }

    void item(Part part) {
        if (is_digit(next())) return identifier();
        const char kind = take();
        if (kind == 'Z' || (kind == 'L' && part == Part::name && is_digit(next()))) {
            found_ = true;  // local to a function, or static
        } else if (kind == 'L') {
            constant();
        } else if (kind == 'N') {
            items_to_end(Part::name);
        } else if (kind == 'I' || kind == 'J' || kind == 'F') {
            items_to_end(Part::type);
        } else if (kind == 'X' || (part == Part::value && (kind == 't' || kind == 'i') && next() == 'l')) {
            items_to_end(Part::value);
        } else if (kind == 'S') {
            substitution();
        } else if ((kind == 'A' && is_digit(next())) ||
                   (kind == 'D' && "vFB"sv.find(next()) != std::string_view::npos)) {
            drop_through('_');
        } else if (kind == 'D') {
            take();
        } else if ("PROKVM"sv.find(kind) != std::string_view::npos && next() != 'E') {
            item(part);  // a pointer, reference, qualified type or member pointer: the type follows
            if (kind == 'M') item(part);
        }
    }

    // A back reference, or an abbreviation for a part of std.
    void substitution() {
        if (next() < 'a') return drop_through('_');
        if (take() == 't' && is_digit(next())) identifier();
    }

    std::string_view rest_;
    bool found_ = false;
};

}  // namespace

bool is_same_type(const TypeIdentity& a, const TypeIdentity& b) {
    if (a.anchor == b.anchor) return true;
    if (a.module == b.module || a.size != b.size || a.alignment != b.alignment) return false;
    if (names_local_type(a.type_name) || a.type_name != b.type_name) return false;
#if defined(__cpp_rtti)
    if (a.type_info != nullptr && b.type_info != nullptr) {
        // Safe: identify() stores the address of a type_info there.
        const auto& of_a = *object_at<std::type_info>(a.type_info);
        const auto& of_b = *object_at<std::type_info>(b.type_info);
        // In both directions: the comparison looks for the mark of g++ on its left side only.
        return of_a == of_b && of_b == of_a && !MangledName(of_a.name()).mentions_local();
    }
#endif
    return true;
}

}  // namespace stoa::detail
