# SPDX-License-Identifier: BSD-3-Clause
# One line about the tuning records of a tree, for who configures it and for CI.

# One line for users: the devices that there are tunings of, and how many of these older kernels were measured with.
function(tessera_say_records text devices all stale)
  list(REMOVE_DUPLICATES devices)
  list(LENGTH devices count)
  list(JOIN devices ", " names)
  set(line "Tessera: tuned for ${count} devices (${names})")
  if(count EQUAL 0)
    set(line "Tessera: no tuning records")
  endif()
  if(stale GREATER 0)
    string(APPEND line "; ${stale} of ${all} tunings were measured with an earlier version of the kernels, and still work; "
      "`tessera-tune` measures this machine anew")
  endif()
  set(${text} "${line}" PARENT_SCOPE)
endfunction()
