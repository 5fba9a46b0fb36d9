// Memory: bytes of heap and of resident pages per entity with sixteen bytes of data, and bytes of heap per table.
// Listed by workloads.cpp.
#include "bodies.hpp"
#include "tables.hpp"
#include "workloads.hpp"

#include <cstdio>

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench {
namespace {

double heap_bytes() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

double resident_bytes() {
    long total = 0;
    long resident = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%ld %ld", &total, &resident) != 2) {
            resident = 0;
        }
        std::fclose(file);
    }
    return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// Two components of eight bytes each.
template <class World>
struct Pairs {
    explicit Pairs(std::size_t n) : body(n) {}
    void fill() { world.create2(body.ids); }
    std::uint64_t checksum() { return body.position_sum(world); }
    std::size_t bytes_held() const
        requires requires(const World& of) { of.bytes_held(); }
    {
        return world.bytes_held();
    }

    World world;
    Body<World> body;
};

template <class Tables>
struct ManyTables {
    explicit ManyTables(std::size_t n) : count(n) {}
    void fill() { tables.build(count); }
    std::uint64_t checksum() {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < count; ++i) {
            sum = fold(sum, tables.sum_of(i));
        }
        return sum;
    }

    Tables tables;
    std::size_t count;
};

/// What the allocator handed out and did not get back; or what the content itself says that it holds, if it takes
/// memory from elsewhere too.
template <class Content>
class HeapUse final : public Contender {
  public:
    explicit HeapUse(std::size_t n) : n_(n) {}

    std::uint64_t warm_up() override {
        Content content(n_);
        content.fill();
        return content.checksum();
    }

    Sample sample() override {
        Content content(n_);
        const double before = heap_bytes();
        content.fill();
        double bytes = heap_bytes() - before;
        if constexpr (requires { content.bytes_held(); }) {
            bytes = static_cast<double>(content.bytes_held());
        }
        return {bytes / static_cast<double>(n_), true};
    }

  private:
    std::size_t n_;
};

/// The pages that came into memory. Measured in a child process that first gives all free memory back.
template <class Content>
class ResidentUse final : public Contender {
  public:
    explicit ResidentUse(std::size_t n) : n_(n) {}

    std::uint64_t warm_up() override { return 0; }

    Sample sample() override {
        int ends[2];
        double bytes = 0;
        if (pipe(ends) != 0) {
            return {};
        }
        const pid_t child = fork();
        if (child == 0) {
            bytes = measure();
            _exit(write(ends[1], &bytes, sizeof bytes) == sizeof bytes ? 0 : 1);
        }
        close(ends[1]);
        if (child < 0 || read(ends[0], &bytes, sizeof bytes) != sizeof bytes) {
            bytes = 0;
        }
        close(ends[0]);
        if (child > 0) {
            waitpid(child, nullptr, 0);
        }
        return {bytes / static_cast<double>(n_), true};
    }

  private:
    double measure() const {
        Content content(n_);
        mallopt(M_MMAP_THRESHOLD, 128 << 10);
        mallopt(M_TRIM_THRESHOLD, 128 << 10);
        mallopt(M_TOP_PAD, 128 << 10);
        malloc_trim(0);
        const double before = resident_bytes();
        content.fill();
        return resident_bytes() - before;
    }

    std::size_t n_;
};

}  // namespace

void add_memory_workloads(std::vector<Workload>& list) {
    // First, because it depends on what the heap has been through.
    list.push_back({"memory_resident",
                    {1000000},
                    make_trial<ResidentUse<Pairs<RawWorld>>>,
                    make_trial<ResidentUse<Pairs<StoaWorld>>>,
                    "B",
                    true});
    list.push_back({"memory_heap",
                    {1000000},
                    make_trial<HeapUse<Pairs<RawWorld>>>,
                    make_trial<HeapUse<Pairs<StoaWorld>>>,
                    "B",
                    true});
    list.push_back({"memory_tables",
                    {65536},
                    make_trial<HeapUse<ManyTables<RawTables>>>,
                    make_trial<HeapUse<ManyTables<StoaTables>>>,
                    "B",
                    true});
}

}  // namespace bench
