// Finds the library that contains an address and opens it again, which increments its use count. Where the system
// cannot list the loaded libraries, no library is kept loaded.
#include "component/libraries.hpp"

#if __has_include(<link.h>) && __has_include(<dlfcn.h>)
#include <dlfcn.h>
#include <link.h>

#include "stoa/detail/component/component_ops.hpp"
// They are missing in a program that is linked statically, which can neither load nor unload a library.
#pragma weak dlopen
#pragma weak dlclose
#define STOA_KEEPS_LIBRARIES 1
#else
#define STOA_KEEPS_LIBRARIES 0
#endif

namespace stoa::detail {

#if STOA_KEEPS_LIBRARIES

namespace {

struct LibrarySearch {
    std::uintptr_t address;
    AddressRange range{};
    const char* name = nullptr;  // empty for the program itself; null: not found
};

// Ends the search when the address is in this library.
int visit_library(dl_phdr_info* library, std::size_t, void* data) {
    LibrarySearch& search = *object_at<LibrarySearch>(data);  // Safe: as passed by find_library
    std::uintptr_t begin = UINTPTR_MAX;
    std::uintptr_t end = 0;
    for (int i = 0; i < library->dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = library->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD) continue;
        const std::uintptr_t first = library->dlpi_addr + segment.p_vaddr;
        if (first < begin) begin = first;
        if (first + segment.p_memsz > end) end = first + segment.p_memsz;
    }
    if (search.address < begin || search.address >= end) return 0;
    search.range = {begin, end};
    search.name = library->dlpi_name;
    return 1;
}

LibrarySearch find_library(const void* address) {
    LibrarySearch search{reinterpret_cast<std::uintptr_t>(address)};
    dl_iterate_phdr(visit_library, &search);
    return search;
}

}  // namespace

Libraries::Libraries() noexcept {
    // The library that holds the registry is unloaded together with it, so it need not be kept.
    static constinit char here = 0;
    const LibrarySearch home = find_library(&here);
    if (home.name != nullptr) add(home.range, nullptr);
}

LibraryNumber Libraries::keep(const void* address) noexcept {
    if (const LibraryNumber known = find(address); known != LibraryNumber::none) return known;
    // Without the mutex: the search takes a lock of the system, which another thread may hold while it loads a library
    // whose constructors ask for types and wait for the mutex.
    const LibrarySearch library = find_library(address);
    if (library.name == nullptr || dlopen == nullptr) return LibraryNumber::none;
    void* handle = nullptr;
    if (*library.name != '\0') {
        handle = dlopen(library.name, RTLD_LAZY | RTLD_NOLOAD);
        if (handle == nullptr) return LibraryNumber::none;  // no memory: the next use tries again
    }
    LibraryNumber number = LibraryNumber::none;
    {
        const std::lock_guard lock(mutex_);
        number = search(address);
        if (number == LibraryNumber::none) {
            number = add(library.range, handle);
            handle = nullptr;
        }
    }
    close(handle);  // another thread was faster
    return number;
}

void Libraries::close(void* handle) noexcept {
    if (handle != nullptr) dlclose(handle);
}

AddressRange Libraries::range_of(const void* address, const char** name) noexcept {
    const LibrarySearch library = find_library(address);
    if (name != nullptr) *name = library.name;
    return library.range;
}

#else

Libraries::Libraries() noexcept = default;
LibraryNumber Libraries::keep(const void*) noexcept { return LibraryNumber::none; }
void Libraries::close(void*) noexcept {}
AddressRange Libraries::range_of(const void*, const char**) noexcept { return {}; }

#endif

LibraryNumber Libraries::search(const void* address) const noexcept {
    for (int i = 0; i < count_; ++i) {
        if (kept_[i].range.contains(address)) return LibraryNumber{static_cast<std::uint8_t>(i)};
    }
    return LibraryNumber::none;
}

// Without a free entry the handle stays open, and so does the library.
LibraryNumber Libraries::add(const AddressRange& range, void* handle) noexcept {
    int i = 0;
    while (i < count_ && kept_[i].range) ++i;
    if (i == limit) return LibraryNumber::none;
    kept_[i] = {range, handle, 0, false};
    if (i == count_) ++count_;
    return LibraryNumber{static_cast<std::uint8_t>(i)};
}

LibraryNumber Libraries::find(const void* address, AddressRange* range) noexcept {
    const std::lock_guard lock(mutex_);
    const LibraryNumber number = search(address);
    if (number != LibraryNumber::none && range != nullptr) *range = kept_[static_cast<int>(number)].range;
    return number;
}

void Libraries::pin(const void* address) noexcept {
    const LibraryNumber number = keep(address);
    const std::lock_guard lock(mutex_);
    if (number != LibraryNumber::none) kept_[static_cast<int>(number)].is_pinned = true;
}

void Libraries::add_user(LibraryNumber number) noexcept {
    const std::lock_guard lock(mutex_);
    ++kept_[static_cast<int>(number)].users;
}

void Libraries::drop_user(LibraryNumber number) noexcept {
    const std::lock_guard lock(mutex_);
    --kept_[static_cast<int>(number)].users;
}

void* Libraries::release(LibraryNumber number) noexcept {
    const std::lock_guard lock(mutex_);
    Kept& library = kept_[static_cast<int>(number)];
    if (library.users != 0 || library.is_pinned || library.handle == nullptr) return nullptr;
    void* const handle = library.handle;
    library = {};
    return handle;
}

}  // namespace stoa::detail
