# A plugin that spawns into the world of the program that loads it: tests/plugin/host.cpp opens, with dlopen, the
# module made of tests/plugin/plugin.cpp, whose path is its only argument. Built twice: both sides linked to one
# shared libstoa, and both with a static copy of their own. unload_host.cpp closes a library, made of unload_plugin.cpp, while
# its types are in use; forget_host.cpp makes worlds forget the types of one, made of forget_plugin.cpp. Included by
# tests/CMakeLists.txt.
if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/plugin/host.cpp)
  return()
endif()

# The library's objects are position independent, so the flavour that this build lacks is only another link.
get_target_property(kind stoa TYPE)
if(kind STREQUAL "SHARED_LIBRARY")
  add_library(stoa_static STATIC $<TARGET_OBJECTS:stoa>)
  set(stoa_shared stoa)
  set(stoa_static stoa_static)
else()
  add_library(stoa_shared SHARED $<TARGET_OBJECTS:stoa>)
  set(stoa_shared stoa_shared)
  set(stoa_static stoa)
endif()

# stoa_plugin_test(<name> <flavour> <host source> <plugin source>): a program that is started with the path of a library.
function(stoa_plugin_test name flavour host_source plugin_source)
  set(plugin stoa_plugin_${name})
  set(host stoa_plugin_host_${name})
  add_library(${plugin} MODULE ${plugin_source})
  add_executable(${host} ${host_source})
  foreach(side IN ITEMS ${plugin} ${host})
    target_link_libraries(${side} PRIVATE ${stoa_${flavour}} stoa_test_common doctest::doctest ${CMAKE_DL_LIBS})
    target_include_directories(${side} PRIVATE ${PROJECT_SOURCE_DIR}/include)
    set_target_properties(${side} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                                             LINKER_LANGUAGE CXX)
  endforeach()
  add_test(NAME plugin/${name} COMMAND ${host} $<TARGET_FILE:${plugin}>)
endfunction()

stoa_plugin_test(static static plugin/host.cpp plugin/plugin.cpp)
stoa_plugin_test(shared shared plugin/host.cpp plugin/plugin.cpp)
stoa_plugin_test(unload shared plugin/unload_host.cpp plugin/unload_plugin.cpp)
# The system never unloads a library with the unique symbols that g++ makes; without them it does, as with clang.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(stoa_plugin_unload PRIVATE -fno-gnu-unique)
endif()

# stoa_forget_test(<name> <flavour> <what happens when the library is closed>): the library in two versions, and its host.
function(stoa_forget_test name flavour outcome)
  set(host stoa_plugin_host_${name})
  add_executable(${host} plugin/forget_host.cpp)
  foreach(version IN ITEMS 1 2)
    set(plugin stoa_plugin_${name}_${version})
    add_library(${plugin} MODULE plugin/forget_plugin.cpp)
    target_compile_definitions(${plugin} PRIVATE PLUGIN_VERSION=${version})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT name STREQUAL "forget_unique")
      target_compile_options(${plugin} PRIVATE -fno-gnu-unique)
    endif()
  endforeach()
  foreach(side IN ITEMS ${host} stoa_plugin_${name}_1 stoa_plugin_${name}_2)
    target_link_libraries(${side} PRIVATE ${stoa_${flavour}} stoa_test_common ${CMAKE_DL_LIBS})
    target_include_directories(${side} PRIVATE ${PROJECT_SOURCE_DIR}/include)
    set_target_properties(${side} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
                                             LINKER_LANGUAGE CXX)
  endforeach()
  add_test(NAME plugin/${name} COMMAND ${host} ${outcome} $<TARGET_FILE:stoa_plugin_${name}_1>
                                       $<TARGET_FILE:stoa_plugin_${name}_2>)
endfunction()

stoa_forget_test(forget shared unloads)
# A library with a copy of Stoa stays, because a world may have parts whose code is in the copy.
stoa_forget_test(forget_static static pinned)
# With unique symbols a library stays as well. Forgetting is safe all the same.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  stoa_forget_test(forget_unique shared unique)
endif()

# The same plugin, built by another compiler than its host.
find_program(STOA_OTHER_COMPILER NAMES clang++-19 clang++-18 clang++-17 clang++-16 DOC "A second compiler, for plugins")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND STOA_OTHER_COMPILER AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize|--coverage")
  set(plugin ${CMAKE_CURRENT_BINARY_DIR}/stoa_plugin_other_compiler.so)
  add_custom_command(OUTPUT ${plugin}
    COMMAND ${STOA_OTHER_COMPILER} -std=c++20 -O1 -fPIC -fvisibility=hidden -shared -I${PROJECT_SOURCE_DIR}/include
            ${CMAKE_CURRENT_SOURCE_DIR}/plugin/plugin.cpp -o ${plugin} $<TARGET_FILE:${stoa_shared}>
    DEPENDS plugin/plugin.cpp plugin/components.hpp ${stoa_shared}
    VERBATIM)
  add_custom_target(stoa_plugin_other_compiler ALL DEPENDS ${plugin})
  add_test(NAME plugin/other_compiler COMMAND stoa_plugin_host_shared ${plugin})
endif()
