#!/bin/sh
# Holds Z3's answers against those of the Debian package cvc5.
# Usage: run.sh WHOOP OUT [FILE...]   the queries of "whoop verify" on programs (default: the drivers and the examples)
#        run.sh --scripts DIRECTORY   the .smt2 files of a directory
#
# A script states Z3's answer by (set-info :status ...), as "whoop verify --dump-smt" writes it; for one that does not, the
# command z3 is asked, where there is one. TIMEOUT is cvc5's time for one script, in seconds.
TIMEOUT=${TIMEOUT:-20}
here=$(dirname "$0")
if [ "$1" = --one ]; then # prints: disagree, agree, undecided, unstated
  want=$(sed -n 's/^(set-info :status \([a-z]*\)).*/\1/p' "$2" | head -1)
  if [ -z "$want" ] && command -v z3 >/dev/null; then
    want=$(timeout "$TIMEOUT" z3 "$2" 2>/dev/null | grep -m1 -x 'sat\|unsat')
  fi
  # Without the status: cvc5 would abort where its answer is another.
  got=$(sed '/^(set-info :status /d' "$2" | timeout $((TIMEOUT + 5)) cvc5 -q --lang smt2 --tlimit=$((TIMEOUT * 1000)) - 2>&1)
  case $want/$got in
  /* | unknown/*) echo "unstated $2" ;;
  sat/sat | unsat/unsat) echo "agree $want $2" ;;
  sat/unsat | unsat/sat) echo "disagree $2: z3 $want, cvc5 $got" ;;
  */unknown | */ | *timeout* | *interrupted*) echo "undecided $2" ;;
  *) echo "disagree $2: $(echo "$got" | head -1)" ;;
  esac
  exit
fi
if ! command -v cvc5 >/dev/null; then
  echo "cvc5 is missing: nothing was checked (Debian: apt-get install cvc5)" >&2
  exit 1
fi
if [ "$1" = --scripts ]; then
  dir=$2
else
  whoop=$1 dir=$2
  shift 2
  if [ $# -eq 0 ]; then
    set -- $(find "$here/../drivers" "$here/../../examples" -name '*.c' | sort)
  fi
  rm -rf "$dir"
  for f in "$@"; do
    for racy in '' '-D RACY'; do
      [ -n "$racy" ] && ! grep -q '^#ifn*def RACY$' "$f" && continue
      "$whoop" verify $racy --dump-smt "$dir/$(basename "$f" .c)${racy:+_racy}" "$f" >/dev/null
      [ $? -eq 2 ] && exit 2
    done
  done
fi
all=$(mktemp)
trap 'rm -f "$all"' EXIT
find "$dir" -name '*.smt2' | sort | TIMEOUT=$TIMEOUT xargs -P 2 -n 1 "$0" --one >"$all"
grep '^disagree\|^undecided' "$all"
count() { grep -c "^$1" "$all"; }
echo "cvc5: $(count '') scripts: $(count 'agree sat') sat and $(count 'agree unsat') unsat in both," \
  "$(count undecided) not decided by cvc5, $(count unstated) without Z3's answer, $(count disagree) disagreements"
[ -s "$all" ] && [ "$(count disagree)" -eq 0 ]
