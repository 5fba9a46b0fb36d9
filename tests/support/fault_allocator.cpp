// The replacements of operator new and delete behind AllocationFaults. Invariant: each block comes from malloc or
// aligned_alloc and goes back through free, so any form of delete fits any form of new; the counters are plain
// thread-local or atomic numbers and allocate nothing. Called by everything in a test program.
#include "fault_allocator.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

namespace stoa_test {
namespace {

constexpr std::int64_t disarmed = -1;

thread_local std::int64_t until_failure = disarmed;
thread_local FaultMode failure_mode = FaultMode::once;
thread_local bool has_failed = false;
thread_local std::uint64_t asked = 0;
thread_local bool filling = false;
thread_local std::uint64_t filling_word = 0;
std::atomic<std::int64_t> blocks{0};
std::atomic<std::uint64_t> asked_by_all{0};

bool must_fail() noexcept {
    ++asked;
    asked_by_all.fetch_add(1, std::memory_order_relaxed);
    if (until_failure == disarmed) {
        return false;
    }
    if (until_failure > 0) {
        --until_failure;
        return false;
    }
    has_failed = true;
    if (failure_mode == FaultMode::once) {
        until_failure = disarmed;
    }
    return true;
}

}  // namespace

AllocationFaults::AllocationFaults(std::uint64_t nth, FaultMode mode) {
    has_failed = false;
    failure_mode = mode;
    until_failure = static_cast<std::int64_t>(nth);
}

AllocationFaults::~AllocationFaults() { until_failure = disarmed; }

bool AllocationFaults::fired() const { return has_failed; }

FilledMemory::FilledMemory(std::uint64_t word) {
    filling = true;
    filling_word = word;
}

FilledMemory::~FilledMemory() { filling = false; }

std::uint64_t allocations_of_thread() { return asked; }

std::uint64_t allocations_of_process() { return asked_by_all.load(std::memory_order_relaxed); }

std::int64_t live_blocks() { return blocks.load(std::memory_order_relaxed); }

namespace {

// Counts a new block and fills it if that is wanted.
void* begin_block(void* block, std::size_t bytes) noexcept {
    if (block != nullptr) {
        blocks.fetch_add(1, std::memory_order_relaxed);
        for (std::size_t at = 0; filling && at + sizeof filling_word <= bytes; at += sizeof filling_word) {
            std::memcpy(static_cast<char*>(block) + at, &filling_word, sizeof filling_word);
        }
    }
    return block;
}

[[maybe_unused]] void* allocate(std::size_t bytes) noexcept {
    return must_fail() ? nullptr : begin_block(std::malloc(bytes == 0 ? 1 : bytes), bytes);
}

[[maybe_unused]] void* allocate(std::size_t bytes, std::align_val_t alignment) noexcept {
    const auto align = static_cast<std::size_t>(alignment);
    if (must_fail() || bytes > static_cast<std::size_t>(-1) / 2) {
        return nullptr;
    }
    const std::size_t rounded = (bytes + align - 1) / align * align;
    return begin_block(std::aligned_alloc(align, rounded == 0 ? align : rounded), bytes);
}

[[maybe_unused]] void* or_throw(void* block) {
    if (block == nullptr) {
        throw std::bad_alloc{};
    }
    return block;
}

[[maybe_unused]] void release(void* block) noexcept {
    if (block != nullptr) {
        blocks.fetch_sub(1, std::memory_order_relaxed);
        std::free(block);
    }
}

}  // namespace
}  // namespace stoa_test

// ThreadSanitizer has operators of its own, which know what libraries without it do with their memory.
#if !defined(__SANITIZE_THREAD__)

void* operator new(std::size_t n) { return stoa_test::or_throw(stoa_test::allocate(n)); }
void* operator new[](std::size_t n) { return stoa_test::or_throw(stoa_test::allocate(n)); }
void* operator new(std::size_t n, std::align_val_t a) { return stoa_test::or_throw(stoa_test::allocate(n, a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return stoa_test::or_throw(stoa_test::allocate(n, a)); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return stoa_test::allocate(n); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return stoa_test::allocate(n); }
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
    return stoa_test::allocate(n, a);
}
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
    return stoa_test::allocate(n, a);
}

void operator delete(void* block) noexcept { stoa_test::release(block); }
void operator delete[](void* block) noexcept { stoa_test::release(block); }
void operator delete(void* block, std::size_t) noexcept { stoa_test::release(block); }
void operator delete[](void* block, std::size_t) noexcept { stoa_test::release(block); }
void operator delete(void* block, std::align_val_t) noexcept { stoa_test::release(block); }
void operator delete[](void* block, std::align_val_t) noexcept { stoa_test::release(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { stoa_test::release(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { stoa_test::release(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { stoa_test::release(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { stoa_test::release(block); }
void operator delete(void* block, std::align_val_t, const std::nothrow_t&) noexcept { stoa_test::release(block); }
void operator delete[](void* block, std::align_val_t, const std::nothrow_t&) noexcept { stoa_test::release(block); }

#endif
