// See arguments.hpp.
#include "arguments.hpp"

#include <charconv>
#include <cstdio>
#include <optional>

namespace support {
namespace {

/// The number, when all of the text is one and it is within the limits.
std::optional<std::uint64_t> parse(std::string_view text, const Number& option) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    if (value < option.least || value > option.most) return std::nullopt;
    return value;
}

template <class Option>
const Option* find(std::string_view name, std::initializer_list<Option> options) {
    for (const Option& option : options) {
        if (option.name == name) return &option;
    }
    return nullptr;
}

/// Returns what is wrong, or nothing.
std::string take(const Number& option, std::string_view text) {
    const std::optional<std::uint64_t> value = parse(text, option);
    if (value) {
        option.value = *value;
        return "";
    }
    const std::string least = option.least == 0 ? "" : "from " + std::to_string(option.least) + " ";
    return std::string(option.name) + " needs a whole number " + least + "up to " + std::to_string(option.most) +
           ", not '" + std::string(text) + "'";
}

std::string take(const File& option, std::string_view text) {
    option.value = text;
    return text.empty() ? std::string(option.name) + " needs a file name" : "";
}

}  // namespace

Arguments read_arguments(int count, char** arguments, std::initializer_list<Number> numbers,
                         std::initializer_list<File> files) {
    Arguments result;
    for (int i = 1; i < count && result.error.empty(); ++i) {
        const std::string_view argument = arguments[i];
        const std::string_view name = argument.substr(0, argument.find('='));
        if (name == "--help" || name == "-h") {
            result.help = true;
            continue;
        }
        const Number* const number = find(name, numbers);
        const File* const file = find(name, files);
        if (number == nullptr && file == nullptr) {
            result.error = "unknown option '" + std::string(name) + "'";
        } else if (name.size() == argument.size() && i + 1 == count) {
            result.error = std::string(name) + " needs a value";
        } else {
            const std::string_view value =
                name.size() == argument.size() ? std::string_view(arguments[++i]) : argument.substr(name.size() + 1);
            result.error = number != nullptr ? take(*number, value) : take(*file, value);
        }
    }
    return result;
}

bool can_write(const std::string& file) {
    std::FILE* const opened = std::fopen(file.c_str(), "ab");
    return opened != nullptr && std::fclose(opened) == 0;
}

}  // namespace support
