# cmake -D build=DIR -D source=DIR -D generator=NAME -D compiler=FILE -D scene=0|1 -P run.cmake
# Installs the build into a temporary prefix, then configures, builds and runs the consumer against it.

set(work ${build}/consumer)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  message(STATUS "${ARGV}\n${output}")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed with ${status}: ${ARGV}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${build} --prefix ${work}/prefix)
run(${CMAKE_COMMAND} -S ${source} -B ${work}/build -G ${generator} -D CMAKE_CXX_COMPILER=${compiler}
  -D CMAKE_BUILD_TYPE=Release -D CMAKE_PREFIX_PATH=${work}/prefix -D WITH_SCENE=${scene})
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/consumer)
if(EXISTS ${work}/prefix/bin/sunder)
  run(${work}/prefix/bin/sunder --version)
  run(${work}/prefix/bin/sunder list)
endif()
file(REMOVE_RECURSE ${work})
