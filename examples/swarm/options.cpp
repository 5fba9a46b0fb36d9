// Reads the command line; see options.hpp.
#include "options.hpp"

#include <charconv>
#include <optional>
#include <string_view>

namespace swarm {
namespace {

constexpr std::uint64_t most_entities = 100000000;
constexpr std::uint64_t most_frames = 1000000;
constexpr std::uint64_t most_threads = 1024;

/// The number, when all of the text is one and it is not above the limit.
std::optional<std::uint64_t> number(std::string_view text, std::uint64_t limit) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value > limit) {
        return std::nullopt;
    }
    return value;
}

/// Takes one option and its value over. Returns what is wrong, or nothing.
std::string take(Options& options, const std::string& name, const std::string& value) {
    const auto wrong = [&](std::uint64_t limit) {
        return name + " needs a whole number up to " + std::to_string(limit) + ", not '" + value + "'";
    };
    if (name == "--output") {
        options.output = value;
        return value.empty() ? "--output needs a file name" : "";
    }
    const std::uint64_t limit = name == "--entities"  ? most_entities
                                : name == "--frames"  ? most_frames
                                : name == "--threads" ? most_threads
                                                      : UINT64_MAX;
    const std::optional<std::uint64_t> read = number(value, limit);
    if (!read) {
        return wrong(limit);
    }
    if (name == "--entities") {
        options.entities = *read;
    } else if (name == "--frames") {
        options.frames = *read;
    } else if (name == "--threads") {
        options.threads = static_cast<std::size_t>(*read);
    } else {
        options.seed = *read;
    }
    return "";
}

}  // namespace

Parsed parse_options(int count, char** arguments) {
    Parsed parsed;
    for (int i = 1; i < count && parsed.error.empty(); ++i) {
        std::string name = arguments[i];
        std::optional<std::string> value;
        if (const std::size_t sign = name.find('='); sign != std::string::npos) {
            value = name.substr(sign + 1);
            name.resize(sign);
        }
        if (name == "--help" || name == "-h") {
            parsed.help = true;
        } else if (name != "--entities" && name != "--frames" && name != "--seed" && name != "--threads" &&
                   name != "--output") {
            parsed.error = "unknown option '" + name + "'";
        } else if (!value && i + 1 == count) {
            parsed.error = name + " needs a value";
        } else {
            parsed.error = take(parsed.options, name, value ? *value : arguments[++i]);
        }
    }
    return parsed;
}

}  // namespace swarm
