# Compiler flags shared by every target of this project; none but -ffp-contract=off reaches a consumer.

find_package(Threads REQUIRED)
set(CMAKE_CXX_EXTENSIONS OFF)

# Without it compilers fuse multiplications and additions, each in its own way, and the bits diverge. Consumers get it too:
# the linker may keep their copy of an inline function of our headers in place of ours.
add_library(sunder_reproducible INTERFACE)
target_compile_options(sunder_reproducible INTERFACE -ffp-contract=off)
target_compile_features(sunder_reproducible INTERFACE cxx_std_20)
set_target_properties(sunder_reproducible PROPERTIES EXPORT_NAME reproducible)

add_library(sunder_flags INTERFACE)
target_link_libraries(sunder_flags INTERFACE sunder_reproducible Threads::Threads)
target_compile_options(sunder_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wno-float-conversion
  # Neither changes a result: they drop errno and the floating-point exception flags, which stand in the way of vector code.
  -fno-math-errno -fno-trapping-math
  # Vectors are passed only to functions that are inlined.
  -Wno-psabi
  # The basic-block vectoriser of g++ 12 drops roundings from double to float and back when it packs two of them.
  $<$<CXX_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>
  # What g++ 12 concludes about std::string and std::variant after inlining at -O3 is wrong (its bugs 105329, 105562).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
  $<$<BOOL:${SUNDER_WERROR}>:-Werror>
  # Baseline x86-64 and Armv8 otherwise, so that a build runs on every machine. The bits are the same either way.
  $<$<BOOL:${SUNDER_NATIVE}>:-march=native>)

if(SUNDER_SANITIZE)
  set(sanitizers -fsanitize=${SUNDER_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(sunder_flags INTERFACE ${sanitizers})
  target_link_options(sunder_flags INTERFACE ${sanitizers})
endif()
