// Prints logged operations. Called when a run diverges.
#include "operation_log.hpp"

#include <algorithm>
#include <sstream>

namespace stoa_test {

std::string describe(stoa::Entity entity) {
    return entity ? std::to_string(entity.index()) + "v" + std::to_string(entity.generation()) : std::string{"null"};
}

std::string OperationLog::tail() const {
    std::ostringstream out;
    const std::uint64_t first = total_ - std::min<std::uint64_t>(total_, kept);
    for (std::uint64_t step = first; step < total_; ++step) {
        const LoggedOperation& entry = entries_[step % kept];
        out << "  " << entry.step << ": " << entry.verb << ' ' << describe(entry.entity);
        if (entry.other) {
            out << ' ' << describe(entry.other);
        }
        if (entry.count != 0) {
            out << " x" << entry.count;
        }
        if (entry.combo != nullptr) {
            for (std::size_t i = 0; i < entry.combo->kinds.size(); ++i) {
                out << ' ' << kinds()[entry.combo->kinds[i]].name << '=' << entry.numbers[i];
            }
        }
        out << '\n';
    }
    return out.str();
}

}  // namespace stoa_test
