# What `cmake --install` leaves, and the package that find_package(sunder) reads.

include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sunder)

install(TARGETS sunder sunder_reproducible EXPORT sunder_targets)
install(EXPORT sunder_targets FILE sunder_targets.cmake NAMESPACE sunder:: DESTINATION ${package_dir})
install(DIRECTORY include/sunder DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "scene" EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/include/sunder/config.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sunder)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/sunder)

if(TARGET sunder_scene)
  install(TARGETS sunder_scene EXPORT sunder_scene_targets)
  install(EXPORT sunder_scene_targets FILE sunder_scene_targets.cmake NAMESPACE sunder:: DESTINATION ${package_dir})
  install(DIRECTORY include/sunder/scene DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sunder OPTIONAL FILES_MATCHING PATTERN "*.h")
  install(DIRECTORY scenes assets DESTINATION ${CMAKE_INSTALL_DATADIR}/sunder OPTIONAL)
  # The playground, where `make web` has built it.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/build/web DESTINATION ${CMAKE_INSTALL_DATADIR}/sunder OPTIONAL)
endif()
if(TARGET sunder_cli)
  set_target_properties(sunder_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS sunder_cli)
  install(FILES ${PROJECT_BINARY_DIR}/share/sunder/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/sunder)
endif()

set(SUNDER_NEEDS_TBB 0)
if(TBB_FOUND AND NOT BUILD_SHARED_LIBS)
  set(SUNDER_NEEDS_TBB 1)
endif()
configure_package_config_file(cmake/sunder-config.cmake.in sunder-config.cmake INSTALL_DESTINATION ${package_dir})
# Before version 1 a minor version may change the interface.
write_basic_package_version_file(sunder-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sunder-config.cmake ${PROJECT_BINARY_DIR}/sunder-config-version.cmake
  DESTINATION ${package_dir})
