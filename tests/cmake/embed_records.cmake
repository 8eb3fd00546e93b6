# SPDX-License-Identifier: BSD-3-Clause
# Script: the program that turns record files into headers. PROGRAM: embed_records; SCRATCH: a folder.
cmake_minimum_required(VERSION 3.25)
set(hashes --cpu 1 --gpu 2 --element 3 --element_run 4 --matrix 5 --general 6)
set(head [["schema": 1, "device": "a \"quick\" CPU", "target": "avx2", "source_hash": "1", "records": ]])
set(small [[{"type": "f64", "regime": "cache", "m": 5, "n": 6, "k": 7, "tuning": {"columns": 3}}]])
set(other [[{"type": "f64", "regime": "cache", "m": 5, "n": 6, "k": 7, "tuning": {"columns": 2}, "source_hash": "old",
  "seconds": 2e-9, "runner_up": {"columns": 1}, "runner_up_seconds": 3e-9}]])
set(large [[{"type": "f32", "regime": "stream", "m": 8, "n": 8, "k": 8, "tuning": {}}]])
set(faults 0)

function(fault text)
  message("${text}")
  math(EXPR faults "${faults} + 1")
  set(faults ${faults} PARENT_SCOPE)
endfunction()

function(embed)
  execute_process(COMMAND ${PROGRAM} ${hashes} ${ARGN} --public ${SCRATCH}/public.hpp --private ${SCRATCH}/private.hpp
      --general-header ${SCRATCH}/general.hpp
    RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE wrong)
  foreach(name IN ITEMS status said wrong)
    set(${name} "${${name}}" PARENT_SCOPE)
  endforeach()
endfunction()

function(must_have text)
  foreach(part IN LISTS ARGN)
    string(FIND "${text}" "${part}" at)
    if(at LESS 0)
      fault("'${part}' is missing in:\n${text}")
    endif()
  endforeach()
  set(faults ${faults} PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
file(WRITE ${SCRATCH}/own.json "{${head}[${small}]}")
file(WRITE ${SCRATCH}/shipped.json "{${head}[${other}, ${large}]}")
embed(--own ${SCRATCH}/own.json --shipped ${SCRATCH}/shipped.json)
file(READ ${SCRATCH}/public.hpp public)
must_have("${said}" "gpu_rows=0" "tuned for 1 devices")
must_have("${public}" "record_origins" "a \\042quick\\042 CPU" "true}" "embedded_cpu_gemm" " 5, 6, 7, 0, false, {1, 3, 4"
  " 8, 8, 8, 1, false, {")
string(FIND "${public}" "5, 6, 7, 1" at)
if(NOT at LESS 0)
  fault("a user's own record does not replace the shipped one:\n${public}")
endif()
# The same again writes nothing.
file(TIMESTAMP ${SCRATCH}/public.hpp before "%s")
execute_process(COMMAND ${CMAKE_COMMAND} -E sleep 1.1)
embed(--own ${SCRATCH}/own.json --shipped ${SCRATCH}/shipped.json)
file(TIMESTAMP ${SCRATCH}/public.hpp after "%s")
if(NOT before STREQUAL after)
  fault("a header that has not changed was written")
endif()
# Alone it is stale, and has a runner-up.
embed(--shipped ${SCRATCH}/shipped.json --each)
file(READ ${SCRATCH}/public.hpp public)
must_have("${public}" " 5, 6, 7, 0, true, {1, 2, 4" "3e-09 / 2e-09}")
must_have("${said}" "shipped.json: 1 of 2" "1 of 2 tunings were measured with an earlier version")

# General contractions have a header of their own.
set(gpu [=["schema": 1, "device": "a GPU", "target": "cuda", "compute_capability": "9.0", "source_hash": "6",
  "records": ]=])
set(general [=[{"family": "general", "kind": "f64 by tensor cores", "rows": [[24, 1, 1], [8, 24, 3840]],
  "columns": [[160, 32, 24]], "sum": [[32, 192, 1]], "batch": [],
  "tile": {"rows": [24, 2], "columns": [16], "sum": [8], "exchanged": true, "warps": [2, 4], "stages": 3,
    "splits": 1}}]=])
file(WRITE ${SCRATCH}/general.json "{${gpu}[${general}]}")
embed(--shipped ${SCRATCH}/general.json --shipped ${SCRATCH}/shipped.json --each)
file(READ ${SCRATCH}/general.hpp embedded)
must_have("${said}" "general.json: 0 of 1" "tuned for 2 devices")
must_have("${embedded}" "std::array<tuned_general, 1> embedded_generals" "{\"f64 by tensor cores\", \"a GPU\", false, {"
  "{2, {{24, 1, 0, 1}, {8, 24, 0, 3840}}}" "{1, {{160, 0, 32, 24}}}" "{1, {{32, 192, 1, 0}}}" "{0, {}}"
  "{true, {24, 2}, {16}, {8}, 2, 4, 3, 1, 0}")
embed(--shipped ${SCRATCH}/shipped.json)
file(READ ${SCRATCH}/general.hpp embedded)
must_have("${embedded}" "std::array<tuned_general, 0> embedded_generals")

function(refuse text)
  file(WRITE ${SCRATCH}/bad.json "${text}")
  embed(--shipped ${SCRATCH}/own.json --shipped ${SCRATCH}/bad.json)
  if(status EQUAL 0)
    fault("must be refused:\n${text}")
  endif()
  must_have("${wrong}" "${SCRATCH}/bad.json" "docs/reference/records.md" ${ARGN})
  set(faults ${faults} PARENT_SCOPE)
endfunction()
refuse("" "not valid JSON")
refuse("{${head}[${small}, ${small}]}" "record 1" "a second one for avx2 f64 cache 5x6x7")
string(REPLACE "\"columns\": 3" "\"columns\": 6, \"row_vectors\": 4" impossible "${small}")
string(REPLACE "\"m\": 5" "\"m\": 32" impossible "${impossible}")
refuse("{${head}[${impossible}]}" "record 0" "a tuning that these sizes cannot have")
string(REPLACE "\"rows\": [24, 2]" "\"rows\": [25, 2]" impossible "${general}")
refuse("{${gpu}[${impossible}]}" "record 0" "a tile that the contraction cannot have: a box of 25 in a digit of 24")
execute_process(COMMAND ${PROGRAM} --cpu 1 --colour red RESULT_VARIABLE status ERROR_VARIABLE wrong OUTPUT_QUIET)
must_have("${wrong}" "--colour is unknown" "usage:")
if(status EQUAL 0)
  fault("an unknown option is taken")
endif()
if(faults)
  message(FATAL_ERROR "${faults} faults")
endif()
