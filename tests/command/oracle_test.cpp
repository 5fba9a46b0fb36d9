// Random commands against the same edits made one by one: every component of every entity they touched, and the counts
// of the report. The environment can choose the number of commands (STOA_COMMAND_OPS, over all seeds) and one seed
// (STOA_SEED).
#include "edits.hpp"

#include "../support/build_kind.hpp"
#include "../support/environment.hpp"
#include "../support/random.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace command_test;
using stoa_test::by_build;
using stoa_test::number_from_environment;
using stoa_test::Random;

namespace {

constexpr std::uint64_t seed_count = 10;

class Oracle {
  public:
    explicit Oracle(std::uint64_t seed) : random_(seed) { grow(); }

    void run(std::uint64_t commands) {
        std::uint64_t done = 0;
        for (std::uint32_t flushes = 0; done < commands; ++flushes) {
            done += step();
            if (flushes % 64 == 0) check_everything();
        }
        check_everything();
    }

  private:
    // One frame: changes made at once, a batch of recorded ones, a flush.
    std::uint64_t step() {
        change_at_once();
        std::vector<Edit> batch;
        const std::uint32_t size = random_.one_in(20) ? random_.between(100, 600) : random_.between(1, 40);
        // A few subjects, so that they meet often; sometimes many.
        focus_ = random_.one_in(3) ? static_cast<std::uint32_t>(in_deferred_.size()) : random_.between(1, 12);
        favourite_ = random_.below(static_cast<std::uint32_t>(combos().size()));
        first_focus_ = random_.below(static_cast<std::uint32_t>(in_deferred_.size()));
        runs_ = random_.one_in(2);
        spawned_.clear();
        for (std::uint32_t i = 0; i < size; ++i) add_edits(batch);
        Commands own{deferred_};
        Commands& later = random_.one_in(2) ? own : deferred_.commands();
        for (const Edit& edit : batch) {
            record(later, in_deferred_, edit);
            if (random_.one_in(97)) change_at_once();
        }
        REQUIRE(later.size() == batch.size());
        const stoa::FlushReport report = later.flush();
        const Counts counts = apply(direct_, in_direct_, batch);
        CHECK(report.applied == counts.applied);
        CHECK(report.skipped == counts.skipped);
        for (const std::uint32_t subject : touched_) compare(subject);
        touched_.clear();
        if (in_deferred_.size() > 3000) forget();
        return report.applied + report.skipped;
    }

    // One edit; before a copy, what cannot be copied is removed: it would end the flush.
    void add_edits(std::vector<Edit>& edits) {
        Edit edit = random_edit();
        if (edit.kind == Kind::clone || edit.kind == Kind::copy) {
            edits.push_back({.kind = Kind::remove, .combo = owner_combo, .subject = edit.other, .nested = {}});
            touched_.push_back(edit.other);
        }
        edits.push_back(std::move(edit));
    }

    Edit random_edit() {
        Edit edit;
        edit.combo = random_.one_in(4) ? favourite_ : random_.below(static_cast<std::uint32_t>(combos().size()));
        edit.number = static_cast<int>(random_.below(1000)) + 1;
        const std::uint32_t dice = random_.below(100);
        edit.kind = dice < 8              ? Kind::spawn
                    : dice < 10           ? Kind::spawn_default
                    : dice < 11           ? (runs_ ? Kind::spawn_initialized : Kind::spawn)
                    : dice < 20           ? Kind::despawn
                    : dice < 40           ? Kind::add
                    : dice < 65           ? Kind::set
                    : dice < 72           ? Kind::replace
                    : dice < 74           ? Kind::remove_all
                    : dice < 76           ? Kind::clone
                    : dice < 79           ? Kind::copy
                    : dice < 98 || !runs_ ? Kind::remove
                                          : Kind::run;
        // Now and then the same for many: replay takes such runs together.
        if (burst_ != 0) {
            --burst_;
            edit.kind = burst_kind_;
            edit.combo = burst_combo_;
        } else if (random_.one_in(60)) {
            burst_ = random_.between(4, 300);
            burst_kind_ = random_.one_in(4) ? Kind::despawn : Kind::remove;
            burst_combo_ = random_.below(10);
        }
        if (edit.kind == Kind::run) {
            std::vector<std::uint32_t> outside;
            outside.swap(spawned_);  // what is spawned in there is unknown outside
            for (std::uint32_t i = random_.below(4); i > 0; --i) add_edits(edit.nested);
            spawned_.swap(outside);
            return edit;
        }
        edit.other = random_subject();
        if (edit.kind <= Kind::clone) {
            edit.subject = static_cast<std::uint32_t>(in_deferred_.size());
            grow();
            spawned_.push_back(edit.subject);
        } else {
            edit.subject = random_subject();
        }
        touched_.push_back(edit.subject);
        return edit;
    }

    std::uint32_t random_subject() {
        if (!spawned_.empty() && random_.one_in(4))
            return spawned_[random_.below(static_cast<std::uint32_t>(spawned_.size()))];
        return (first_focus_ + random_.below(focus_)) % known_;
    }

    // Direct changes leave dead handles and reused slots behind, also between recording and flush.
    void change_at_once() {
        known_ = static_cast<std::uint32_t>(in_deferred_.size());
        for (std::uint32_t i = random_.below(3); i > 0; --i) {
            const Combo& combo = combos()[random_.below(static_cast<std::uint32_t>(combos().size()))];
            const std::uint32_t subject = random_.below(known_);
            if (random_.one_in(2)) {
                CHECK(deferred_.despawn(in_deferred_[subject]) == direct_.despawn(in_direct_[subject]));
            } else {
                const auto number = static_cast<int>(random_.below(1000)) + 1;
                in_deferred_.push_back(combo.spawn(deferred_, number));
                in_direct_.push_back(combo.spawn(direct_, number));
            }
        }
    }

    void grow() {
        in_deferred_.emplace_back();
        in_direct_.emplace_back();
    }

    void compare(std::uint32_t subject) {
        const std::string found = difference(deferred_, in_deferred_[subject], direct_, in_direct_[subject]);
        if (!found.empty()) FAIL("handle " << subject << ": in the world with commands " << found);
    }

    void check_everything() {
        REQUIRE(deferred_.size() == direct_.size());
        deferred_.check();
        for (std::uint32_t subject = 0; subject < in_deferred_.size(); ++subject) compare(subject);
    }

    // Keeps the worlds small: most entities end, and their handles are forgotten.
    void forget() {
        check_everything();
        Handles kept_deferred;
        Handles kept_direct;
        for (std::uint32_t subject = 0; subject < in_deferred_.size(); ++subject) {
            if (random_.one_in(20)) {
                kept_deferred.push_back(in_deferred_[subject]);
                kept_direct.push_back(in_direct_[subject]);
            } else {
                deferred_.despawn(in_deferred_[subject]);
                direct_.despawn(in_direct_[subject]);
                for (const Combo& combo : combos()) {
                    combo.remove(deferred_, in_deferred_[subject]);
                    combo.remove(direct_, in_direct_[subject]);
                }
            }
        }
        in_deferred_ = std::move(kept_deferred);
        in_direct_ = std::move(kept_direct);
        grow();
        if (random_.one_in(3)) deferred_.shrink_to_fit();
    }

    Random random_;
    World deferred_;
    World direct_;
    Handles in_deferred_;
    Handles in_direct_;
    std::vector<std::uint32_t> touched_;
    std::vector<std::uint32_t> spawned_;
    std::uint32_t focus_ = 1;
    std::uint32_t first_focus_ = 0;
    std::uint32_t favourite_ = 0;
    std::uint32_t known_ = 1;
    bool runs_ = false;
    std::uint32_t burst_ = 0;
    Kind burst_kind_ = Kind::remove;
    std::uint32_t burst_combo_ = 0;
};

std::uint64_t commands_in_all() {
    return number_from_environment("STOA_COMMAND_OPS").value_or(by_build(10'000'000, 1'000'000, 300'000));
}

void run_seed(std::uint64_t seed) {
    CAPTURE(seed);
    Oracle(seed).run(commands_in_all() / seed_count);
}

}  // namespace

TEST_SUITE("command oracle") {
    TEST_CASE("commands give the same world as the same edits one by one, seeds 1 to 5 or the one asked for") {
        if (const auto seed = number_from_environment("STOA_SEED")) {
            run_seed(*seed);
        } else {
            for (std::uint64_t each = 1; each <= 5; ++each) run_seed(each);
        }
    }

    TEST_CASE("commands give the same world as the same edits one by one, seeds 6 to 10") {
        if (number_from_environment("STOA_SEED")) return;
        for (std::uint64_t each = 6; each <= seed_count; ++each) run_seed(each);
    }
}
