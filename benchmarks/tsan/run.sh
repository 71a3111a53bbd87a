#!/bin/sh
# Runs the corpus under ThreadSanitizer: a *_racy.c should show a race within RUNS runs, or say in its first comment why it races
# (then it is listed, not counted); an *_ok.c must show none. Usage: run.sh DIRECTORY...
RUNS=${RUNS:-20}
here=$(dirname "$0")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
bad=0 shown=0 argued=0 clean=0
for f in $(find "$@" -name '*.c' | sort); do
  if grep -q '^static .*__VERIFIER_atomic_' "$f"; then
    echo "$f: skipped, ThreadSanitizer does not know atomic functions"; continue
  fi
  kind=ok
  case $f in *_racy.c) kind=racy ;; esac
  if ! gcc -w -g -O0 -fsanitize=thread "$f" "$here/verifier.c" -o "$out/x" -lpthread 2>"$out/err"; then
    echo "$f: does not compile"; sed 's/^/  /' "$out/err" | head -3; bad=$((bad + 1)); continue
  fi
  seen=no i=0
  while [ $i -lt "$RUNS" ] && [ $seen = no ]; do
    timeout 20 setarch -R "$out/x" >"$out/log" 2>&1
    grep -q 'WARNING: ThreadSanitizer: \(data race\|heap-use-after-free\)' "$out/log" && seen=yes
    i=$((i + 1))
  done
  case $kind/$seen in
  racy/yes) shown=$((shown + 1)) ;;
  racy/no)
    if sed -n '/^\/\*/,/\*\//p' "$f" | grep -qi 'both\|either\|because\|by the definition\|why it races\|two threads'; then
      argued=$((argued + 1)); echo "$f: not shown in $RUNS runs; argued in its comment"
    else
      bad=$((bad + 1)); echo "$f: NOT SHOWN in $RUNS runs"
    fi ;;
  ok/yes) bad=$((bad + 1)); echo "$f: RACE SHOWN"; grep -m3 "$(basename "$f")" "$out/log" ;;
  ok/no) clean=$((clean + 1)) ;;
  esac
done
echo "racy: $shown shown, $argued argued; race-free: $clean clean; $bad to look at"
[ $bad -eq 0 ]
