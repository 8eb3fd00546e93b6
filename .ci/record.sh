# SPDX-License-Identifier: BSD-3-Clause
# Runs one step of CI, records its time and outcome, counts its tests, and reports at the end.

passed=0
failed=0
skipped=0
summary=()
step_log=

readonly log_folder="build/ci"
mkdir -p "$log_folder"

# A step calls this where this machine cannot run it; the step counts as skipped.
skip() {
  echo "skipped: $*"
  return 77
}

# Adds the numbers of the step's ctest runs, read from its output.
count_ctest() {
  local log=$1 total=0 bad=0 not_run line
  while read -r line; do
    if [[ $line =~ ([0-9]+)\ tests\ failed\ out\ of\ ([0-9]+) ]]; then
      bad=$((bad + BASH_REMATCH[1]))
      total=$((total + BASH_REMATCH[2]))
    fi
  done < <(grep -E '% tests passed, ' "$log")
  not_run=$(grep -cE '\*\*\*Skipped' "$log")
  passed=$((passed + total - bad - not_run))
  failed=$((failed + bad))
  skipped=$((skipped + not_run))
}

record_step() {
  local step=$1 start=$SECONDS status outcome before=$failed
  step_log="$log_folder/${step//[^a-z0-9_]/_}.log"
  printf '\n######## %s\n' "$step"
  (step_"$step") 2>&1 | tee "$step_log" | condense
  status=${PIPESTATUS[0]}
  count_ctest "$step_log"
  case "$status" in
    0) outcome=PASS passed=$((passed + 1)) ;;
    77) outcome=SKIP skipped=$((skipped + 1)) ;;
    *) outcome=FAIL failed=$((failed + 1)) ;;
  esac
  printf '######## %s: %s after %d s\n' "$step" "$outcome" $((SECONDS - start))
  if [ "$outcome" = FAIL ] && [ "$failed" -eq $((before + 1)) ]; then tail -n 40 "$step_log"; fi
  summary+=("$(printf '%-4s %5d s  %s' "$outcome" $((SECONDS - start)) "$step")")
}

# Keeps the screen short: the whole text is in the step's log.
condense() { grep --line-buffered -vE '^\[[0-9]+/[0-9]+\] |^ *Start +[0-9]+:|^ *[0-9]+/[0-9]+ Test +#.* Passed '; }

report() {
  printf '\n######## summary after %d s (a step counts as one, and each of its tests)\n' "$SECONDS"
  printf '%s\n' "${summary[@]}"
  cmake -P cmake/stale_records.cmake 2>&1 | tail -n 1
  printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
  [ "$failed" -eq 0 ]
}
