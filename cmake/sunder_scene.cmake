# Scene files, meshes, pictures and the command line. Their libraries are not needed by the engine: where one is missing,
# these parts are left out.

set(missing "")
foreach(package nlohmann_json fmt CLI11 TinyGLTF)
  find_package(${package} QUIET CONFIG)
  if(NOT ${package}_FOUND)
    list(APPEND missing ${package})
  endif()
endforeach()
find_package(PNG QUIET)
if(NOT PNG_FOUND)
  list(APPEND missing PNG)
endif()

file(GLOB_RECURSE scene_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/scene/*.cpp)
if(missing)
  list(JOIN missing ", " missing)
  message(STATUS "sunder: scene files and the command line are left out, not found: ${missing}")
  return()
elseif(NOT scene_sources)
  message(STATUS "sunder: scene files and the command line are left out, src/scene has no source file")
  return()
endif()

sunder_module(render)
# Reading and writing text is not worth the optimiser's time, which is half of the build's; meshes and pictures are.
set(text_sources ${scene_sources})
list(FILTER text_sources EXCLUDE REGEX "/src/scene/(recording|picture|mesh)/")
list(REMOVE_ITEM scene_sources ${text_sources})
sunder_module(scene_text ${text_sources})
target_compile_options(sunder_folder_scene_text PRIVATE $<$<CONFIG:Release>:-O1>)
sunder_module(scene ${scene_sources})
foreach(folder scene_text scene)
  sunder_link(${folder} nlohmann_json::nlohmann_json fmt::fmt TinyGLTF::TinyGLTF PNG::PNG)
endforeach()
sunder_library(sunder_scene FOLDERS render scene_text scene LINKS sunder)
set_target_properties(sunder_scene PROPERTIES EXPORT_NAME scene)
add_library(sunder::scene ALIAS sunder_scene)

file(GLOB_RECURSE cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/cli/*.cpp)
if(cli_sources)
  add_executable(sunder_cli ${cli_sources})
  target_compile_options(sunder_cli PRIVATE $<$<CONFIG:Release>:-O1>)
  target_link_libraries(sunder_cli PRIVATE sunder_scene sunder_flags fmt::fmt CLI11::CLI11)
  # Where the bundled scenes lie when the program does not find them beside itself, as it does once installed.
  target_compile_definitions(sunder_cli PRIVATE SUNDER_SCENE_FOLDER="${PROJECT_SOURCE_DIR}/scenes")
  set_target_properties(sunder_cli PROPERTIES OUTPUT_NAME sunder)
  # The JSON Schema for editors, made from the same description as everything else.
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/sunder)
  add_custom_command(TARGET sunder_cli POST_BUILD
    COMMAND sunder_cli schema ${PROJECT_BINARY_DIR}/share/sunder/scene.schema.json
    BYPRODUCTS ${PROJECT_BINARY_DIR}/share/sunder/scene.schema.json)
endif()
