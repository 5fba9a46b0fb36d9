// Three systems, each of which exchanges two components of its entities, over four tables of n entities: A B, A B C,
// A B C D and A B C E. Per pair of values. Listed by workloads.cpp.
#include "column.hpp"
#include "components.hpp"
#include "kept_query.hpp"
#include "trials.hpp"
#include "workloads.hpp"

#include <utility>

namespace bench {
namespace {

class StoaSwaps {
  public:
    void build(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            const float v = as_float(i);
            world_.spawn(A{v}, B{1});
            world_.spawn(A{v}, B{1}, C{2});
            world_.spawn(A{v}, B{1}, C{2}, D{3});
            world_.spawn(A{v}, B{1}, C{2}, E{4});
        }
    }
    void run() {
        exchange(ab_.in(world_));
        exchange(cd_.in(world_));
        exchange(ce_.in(world_));
    }
    std::uint64_t checksum() {
        std::uint64_t sum = 0;
        world_.query<const A, const B>().each([&](const A& a, const B& b) { sum += fold(1, a.v, b.v); });
        world_.query<const C, const D>().each([&](const C& c, const D& d) { sum += fold(2, c.v, d.v); });
        world_.query<const C, const E>().each([&](const C& c, const E& e) { sum += fold(3, c.v, e.v); });
        return sum;
    }

  private:
    template <class X, class Y>
    static void exchange(const stoa::Query<X, Y>& query) {
        query.each([](X& x, Y& y) { std::swap(x.v, y.v); });
    }

    stoa::World world_;
    KeptQuery<A, B> ab_;
    KeptQuery<C, D> cd_;
    KeptQuery<C, E> ce_;
};

/// The same by hand: the arrays of four tables.
class RawSwaps {
  public:
    void build(std::size_t n) {
        for (Table& table : tables_) {
            fill(table.a, n, 0);
            fill(table.b, n, 1);
            for (std::size_t i = 0; i < n; ++i) {
                table.a[i] = as_float(i);
            }
        }
        for (std::size_t number = 2; number < 4; ++number) {
            fill(tables_[number].c, n, 2);
            fill(tables_[number].last, n, number == 2 ? 3.0F : 4.0F);
        }
    }
    void run() {
        for (Table& table : tables_) {
            exchange(table.a, table.b);
        }
        exchange(tables_[2].c, tables_[2].last);
        exchange(tables_[3].c, tables_[3].last);
    }
    std::uint64_t checksum() const {
        std::uint64_t sum = 0;
        for (const Table& table : tables_) {
            sum += sum_of(1, table.a, table.b);
        }
        return sum + sum_of(2, tables_[2].c, tables_[2].last) + sum_of(3, tables_[3].c, tables_[3].last);
    }

  private:
    struct Table {
        Column<float> a, b, c, last;  // last: D or E
    };

    static void fill(Column<float>& column, std::size_t n, float value) {
        column.resize(n);
        for (float& at : column) {
            at = value;
        }
    }
    static void exchange(Column<float>& one, Column<float>& other) {
        float* __restrict x = one.data();
        float* __restrict y = other.data();
        for (std::size_t i = 0; i < one.size(); ++i) {
            std::swap(x[i], y[i]);
        }
    }
    static std::uint64_t sum_of(std::uint64_t start, const Column<float>& one, const Column<float>& other) {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < one.size(); ++i) {
            sum += fold(start, one[i], other[i]);
        }
        return sum;
    }

    Table tables_[4];
};

template <class World>
struct Swaps {
    explicit Swaps(std::size_t n) : count(n) {}

    std::size_t operations() const { return count * 6; }
    void prepare(World& world) { world.build(count); }
    void run(World& world) { world.run(); }
    std::uint64_t checksum(World& world) { return world.checksum(); }

    std::size_t count;
};

}  // namespace

void add_swap_workloads(std::vector<Workload>& list) {
    list.push_back({"simple_iter",
                    {1000, 100000},
                    make_trial<Steady<RawSwaps, Swaps<RawSwaps>>>,
                    make_trial<Steady<StoaSwaps, Swaps<StoaSwaps>>>});
}

}  // namespace bench
