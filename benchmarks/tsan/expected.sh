#!/bin/sh
# Runs C programs of a table under ThreadSanitizer that must have no race, as a check on the table: lines of program, question,
# answer, and why. Usage: expected.sh TABLE...; RUNS says how often each is run.
RUNS=${RUNS:-200}
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
bad=0 clean=0 left=0
for table in "$@"; do
  dir=$(dirname "$table")
  awk -F '\t' '$1 ~ /\.c$/ && ($2 == "no-data-race" && $3 == "TRUE" || $2 == "verify" && $3 == "race-free" || $2 == "bmc:race" && $3 == "no bug") { print $1 }' "$table" |
    sort -u | sed "s|^|$dir/|" >>"$out/programs"
done
while read -r f; do
  if ! gcc -w -g -O1 -fsanitize=thread "$f" "$here/verifier.c" -o "$out/x" -lpthread 2>"$out/err"; then
    echo "$f: does not compile"; sed 's/^/  /' "$out/err" | head -3; left=$((left + 1)); continue
  fi
  seen=no i=0 slow=0
  while [ $i -lt "$RUNS" ] && [ $seen = no ] && [ $slow -lt 3 ]; do
    timeout --foreground -k 1 5 setarch -R "$out/x" >"$out/log" 2>&1 </dev/null
    case $? in 124 | 137) slow=$((slow + 1)) ;; esac
    grep -q 'WARNING: ThreadSanitizer: \(data race\|heap-use-after-free\)' "$out/log" && seen=yes
    i=$((i + 1))
  done
  if [ $seen = yes ]; then
    bad=$((bad + 1)); echo "$f: RACE SHOWN in run $i"; grep -m3 "$(basename "$f")" "$out/log"
  elif [ $slow -ge 3 ]; then
    left=$((left + 1)); echo "$f: does not end, no race is shown"
  else
    clean=$((clean + 1))
  fi
done <"$out/programs"
echo "without a race: $clean as expected; $left not run to their ends; $bad to look at"
[ $bad -eq 0 ]
