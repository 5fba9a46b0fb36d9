// Random numbers: a stream for each of n entities, of which four numbers are drawn, beside the same rounds written out.
// Listed by workloads.cpp.
#include "trials.hpp"
#include "workloads.hpp"

#include <stoa/random.hpp>

#include <cstdint>

namespace bench {
namespace {

constexpr std::uint64_t seed = 0x5eed;

/// Philox4x32-10 as its paper has it, with a counter and a key that are known to be small.
class RawStreams {
  public:
    struct Block {
        std::uint32_t words[4];
    };

    std::uint64_t words(std::uint64_t n, std::uint64_t step) const {
        std::uint64_t sum = 0;
        for (std::uint64_t i = 0; i < n; ++i) {
            const Block block = rounds(i, step);
            sum += block.words[0] ^ block.words[1] ^ block.words[2] ^ block.words[3];
        }
        return sum;
    }
    std::uint64_t points(std::uint64_t n, std::uint64_t step) const {
        float farthest = 0;
        for (std::uint64_t i = 0; i < n; ++i) {
            const Block block = rounds(i, step);
            float sum = 0;
            for (const std::uint32_t word : block.words) sum += -1 + 2 * (static_cast<float>(word >> 8) * 0x1p-24f);
            farthest = sum > farthest ? sum : farthest;
        }
        return fold(1, farthest, 0);
    }

  private:
    static Block rounds(std::uint64_t a, std::uint64_t b) {
        std::uint32_t c[4] = {0, static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(a),
                              static_cast<std::uint32_t>(a >> 32)};
        std::uint32_t k[2] = {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
        for (int round = 0; round < 10; ++round) {
            const std::uint64_t p0 = std::uint64_t{0xd2511f53} * c[0];
            const std::uint64_t p1 = std::uint64_t{0xcd9e8d57} * c[2];
            c[0] = static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k[0];
            c[1] = static_cast<std::uint32_t>(p1);
            c[2] = static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k[1];
            c[3] = static_cast<std::uint32_t>(p0);
            k[0] += 0x9e3779b9;
            k[1] += 0xbb67ae85;
        }
        return {{c[0], c[1], c[2], c[3]}};
    }
};

class StoaStreams {
  public:
    std::uint64_t words(std::uint64_t n, std::uint64_t step) const {
        std::uint64_t sum = 0;
        for (std::uint64_t i = 0; i < n; ++i) {
            stoa::Random random{seed, i, step};
            std::uint32_t mixed = random();
            mixed ^= random();
            mixed ^= random();
            mixed ^= random();
            sum += mixed;
        }
        return sum;
    }
    std::uint64_t points(std::uint64_t n, std::uint64_t step) const {
        float farthest = 0;
        for (std::uint64_t i = 0; i < n; ++i) {
            stoa::Random random{seed, i, step};
            float sum = 0;
            for (int word = 0; word < 4; ++word) sum += random.between(-1.f, 1.f);
            farthest = sum > farthest ? sum : farthest;
        }
        return fold(1, farthest, 0);
    }
};

/// One sample is a step of all entities; each step has numbers of its own.
template <class Streams>
struct Words {
    explicit Words(std::size_t n) : count(n) {}
    std::size_t operations() const { return count; }
    void prepare(Streams&) {}
    void run(Streams& streams) {
        sum = streams.words(count, ++step);
        keep(sum);
    }
    std::uint64_t checksum(Streams&) const { return sum; }

    std::size_t count;
    std::uint64_t step = 0;
    std::uint64_t sum = 0;
};

template <class Streams>
struct Points : Words<Streams> {
    using Words<Streams>::Words;
    void run(Streams& streams) {
        this->sum = streams.points(this->count, ++this->step);
        keep(this->sum);
    }
};

template <template <class> class Body>
Workload random_workload(const char* name) {
    return {name, usual_sizes, make_trial<Steady<RawStreams, Body<RawStreams>>>,
            make_trial<Steady<StoaStreams, Body<StoaStreams>>>};
}

}  // namespace

void add_random_workloads(std::vector<Workload>& list) {
    list.push_back(random_workload<Words>("random"));
    list.push_back(random_workload<Points>("random_between"));
}

}  // namespace bench
