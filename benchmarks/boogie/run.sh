#!/bin/sh
# Holds the output of "whoop emit --to boogie" against the Debian package boogie.
# Usage: run.sh WHOOP OUT [FILE...]   (default: the corpus, the examples, and the programs beside this script)
#
# Every program must parse and resolve as it is, and type check with "yield" and "async" left out: Boogie itself reads
# these as CIVL, with annotations that Corral does not have. The programs beside this script have one thread; of them Boogie must verify the
# assertions of *_ok.c, refute one at their ends (so that these are reached), and refute one of *_bad.c.
whoop=$1 out=$2
shift 2
here=$(dirname "$0")
if ! command -v boogie >/dev/null; then
  echo "boogie is missing: nothing was checked (Debian: apt-get install boogie)" >&2
  exit 1
fi
mkdir -p "$out"
log=$out/log bad=0 good=0 proved=0 refuted=0

# emit FILE NAME [OPTION...]: writes NAME.bpl, and NAME.seq.bpl without "yield" and "async".
emit() {
  f=$1 n=$2
  shift 2
  "$whoop" emit --to boogie "$@" -o "$out/$n.bpl" "$f" 2>"$log" || return 1
  sed 's/^\( *\)yield;$/\1assume true;/; s/async call/call/' "$out/$n.bpl" >"$out/$n.seq.bpl"
}

# passes PATTERN COMMAND...: the command's output has a line that matches.
passes() {
  pattern=$1
  shift
  "$@" >"$log" 2>&1
  grep -q "$pattern" "$log"
}

fail() {
  bad=$((bad + 1))
  echo "$1: $2"
  sed 's/^/  /' "$log" | head -5
  return 1
}

# check FILE [OPTION...]
check() {
  n=$(echo "$*" | sed 's/.*benchmarks.//; s/[^A-Za-z0-9]/_/g')
  f=$1
  shift
  if ! emit "$f" "$n" --check-locks --check-races "$@"; then fail "$f" "not translated"; return; fi
  if passes rror boogie /noVerify /noTypecheck "$out/$n.bpl"; then fail "$f" "does not parse or resolve"; return; fi
  if ! passes ' 0 errors' boogie /noVerify /doModSetAnalysis "$out/$n.seq.bpl"; then fail "$f" "does not type check"; return; fi
  good=$((good + 1))
}

# verify FILE RESULT [OPTION...]
verify() {
  f=$1 want=$2
  shift 2
  n=one_$(basename "$f" .c)
  if ! emit "$f" "$n" --inline 4 "$@"; then fail "$f" "not translated"; return; fi
  if passes "$want" timeout 300 boogie /doModSetAnalysis /loopUnroll:6 /inline:assume "$out/$n.seq.bpl"; then return; fi
  fail "$f" "want \"$want\" $*"
}

if [ $# -eq 0 ]; then
  set -- $(find "$here/../races" "$here/../drivers" "$here/../../examples" "$here" -name '*.c' | sort)
fi
for f in "$@"; do
  check "$f"
  if grep -q '^#ifn*def RACY$' "$f"; then check "$f" -D RACY; fi
done
for f in "$here"/*_ok.c; do
  verify "$f" ' 0 errors' && verify "$f" ' 1 error$' -D 'END=assert(0)' && proved=$((proved + 1))
done
for f in "$here"/*_bad.c; do verify "$f" ' 1 error$' && refuted=$((refuted + 1)); done
echo "boogie: $good programs parse, resolve and type check; $proved verified, $refuted refuted as expected; $bad to look at"
[ $bad -eq 0 ]
