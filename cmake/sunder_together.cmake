# Sources of a target compiled ten at a time, so that headers are read, and templates made, once for all ten. That is
# quicker from nothing; after a change in one file all ten are compiled again. The bits are the same.

option(SUNDER_TOGETHER "Compile files of a folder together: quicker from nothing, slower after a change" OFF)

# sunder_together(TARGET): its sources, but for those with options of their own and those that are one kernel for one kind of
# processor, whose names are the same for all.
function(sunder_together target)
  if(NOT SUNDER_TOGETHER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 10)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "_kernels")
  set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  # What g++ says of sources that are included and is not so: it takes them for headers, and warns of what these must not hold; and
  # a name in a function may be that of another file. Builds that compile each file alone have the warnings.
  target_compile_options(${target} PRIVATE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()
