# Folders of src/ as object libraries, and libraries and programs made of them.

# sunder_module(NAME [SOURCE...]): src/NAME, or these sources alone, as the object library sunder_folder_NAME. Folders are declared
# from left to right.
function(sunder_module name)
  get_property(modules GLOBAL PROPERTY SUNDER_MODULES)
  set_property(GLOBAL PROPERTY SUNDER_MODULES ${modules} ${name})
  set(sources ${ARGN})
  if(NOT sources)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  endif()
  if(NOT sources)
    add_library(sunder_folder_${name} INTERFACE)
    return()
  endif()
  add_library(sunder_folder_${name} OBJECT ${sources})
  target_include_directories(sunder_folder_${name} PRIVATE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(sunder_folder_${name} PRIVATE sunder_flags)
  if(BUILD_SHARED_LIBS)
    # Position-independent code costs inlining unless the compiler may assume that nobody replaces our functions.
    set_target_properties(sunder_folder_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(sunder_folder_${name} PRIVATE -fno-semantic-interposition)
  endif()
endfunction()

# sunder_link(NAME LIBRARY...): the folder, and whatever is linked from it, uses these libraries.
function(sunder_link name)
  set_property(GLOBAL APPEND PROPERTY SUNDER_LIBRARIES_OF_${name} ${ARGN})
  get_target_property(type sunder_folder_${name} TYPE)
  if(type STREQUAL "OBJECT_LIBRARY")
    target_link_libraries(sunder_folder_${name} PRIVATE ${ARGN})
  endif()
endfunction()

# sunder_define(NAME DEFINITION...): preprocessor definitions that this folder alone sees.
function(sunder_define name)
  get_target_property(type sunder_folder_${name} TYPE)
  if(type STREQUAL "OBJECT_LIBRARY")
    target_compile_definitions(sunder_folder_${name} PRIVATE ${ARGN})
  endif()
endfunction()

# sunder_collect(FOLDERS OBJECTS LIBRARIES): the objects of the folders and the libraries those need.
function(sunder_collect folders objects_out libraries_out)
  foreach(folder IN LISTS folders)
    get_target_property(type sunder_folder_${folder} TYPE)
    if(type STREQUAL "OBJECT_LIBRARY")
      list(APPEND objects $<TARGET_OBJECTS:sunder_folder_${folder}>)
    endif()
    get_property(needed GLOBAL PROPERTY SUNDER_LIBRARIES_OF_${folder})
    list(APPEND libraries ${needed})
  endforeach()
  set(${objects_out} ${objects} PARENT_SCOPE)
  set(${libraries_out} ${libraries} PARENT_SCOPE)
endfunction()

# sunder_folders_up_to(NAME OUT): NAME and the folders to its left.
function(sunder_folders_up_to name out)
  get_property(modules GLOBAL PROPERTY SUNDER_MODULES)
  list(FIND modules ${name} index)
  math(EXPR count "${index} + 1")
  list(SUBLIST modules 0 ${count} folders)
  set(${out} ${folders} PARENT_SCOPE)
endfunction()

# sunder_library(NAME FOLDERS folder... [LINKS library...]): an installed library made of folders, seen as sunder::NAME.
function(sunder_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FOLDERS;LINKS")
  sunder_collect("${arg_FOLDERS}" objects libraries)
  if(NOT objects)
    message(FATAL_ERROR "sunder: none of the folders ${arg_FOLDERS} of src/ has a source file")
  endif()
  add_library(${name} ${objects})
  add_library(sunder::${name} ALIAS ${name})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${name}
    PUBLIC sunder_reproducible ${arg_LINKS}
    PRIVATE Threads::Threads ${libraries} $<BUILD_INTERFACE:sunder_flags>)
  set_target_properties(${name} PROPERTIES
    LINKER_LANGUAGE CXX VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endfunction()
