// Finds the library that contains an address and opens it again, which increments its use count. Where the system
// cannot list the loaded libraries, no library is kept loaded.
#include "component/libraries.hpp"

#if __has_include(<link.h>) && __has_include(<dlfcn.h>)
#include <dlfcn.h>
#include <link.h>

#include "stoa/detail/component/component_ops.hpp"
// It is missing in a program that is linked statically, which can neither load nor unload a library.
#pragma weak dlopen
#define STOA_KEEPS_LIBRARIES 1
#else
#define STOA_KEEPS_LIBRARIES 0
#endif

namespace stoa::detail {

#if STOA_KEEPS_LIBRARIES

namespace {

struct LibrarySearch {
    std::uintptr_t address;
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
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
    search.begin = begin;
    search.end = end;
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
    if (home.name != nullptr) kept_[count_++] = {home.begin, home.end, nullptr};
}

bool Libraries::knows(std::uintptr_t address) {
    const std::lock_guard lock(mutex_);
    for (int i = 0; i < count_; ++i) {
        if (address >= kept_[i].begin && address < kept_[i].end) return true;
    }
    return false;
}

void Libraries::keep(const void* address) noexcept {
    if (knows(reinterpret_cast<std::uintptr_t>(address))) return;
    // Without the mutex: the search takes a lock of the system, which another thread may hold while it loads a library
    // whose constructors ask for types and wait for the mutex.
    const LibrarySearch library = find_library(address);
    if (library.name == nullptr || dlopen == nullptr) return;
    void* handle = nullptr;
    if (*library.name != '\0') {
        handle = dlopen(library.name, RTLD_LAZY | RTLD_NOLOAD);
        if (handle == nullptr) return;  // no memory: the next use tries again
    }
    const std::lock_guard lock(mutex_);
    if (count_ < limit) kept_[count_++] = {library.begin, library.end, handle};
}

#else

Libraries::Libraries() noexcept = default;
bool Libraries::knows(std::uintptr_t) { return true; }
void Libraries::keep(const void*) noexcept {}

#endif

}  // namespace stoa::detail
