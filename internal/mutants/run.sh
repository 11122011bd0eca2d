#!/bin/sh
# Makes the mistakes of the patches beside this script, one at a time, and says who notices: the
# tests of the packages that a patch names, until one fails; the claims violated in the smoke
# profiles that it names; and the comparison of these runs with results/reference. The tree stays
# as it is: go takes the patched copy of the file by -overlay.
#
#   internal/mutants/run.sh        all, and write docs/mutants.md below its head
#   internal/mutants/run.sh kjl    those whose name matches; no table
#
# It exits with 1 where a mistake escapes all three, or something is wrong without a mistake.
set -eu
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

field() { sed -n "s/^$1: //p" "$2"; }                                # a line of the head of a patch
code_of() { "$@" >"$dir/out" 2>&1 && echo 0 || echo $?; }            # runs a command, keeps its output
stop() { echo "$1:" >&2; cat "$dir/out" >&2; exit 1; }               # where there is no telling
listed() { echo "$*" | sed 's/ /, /g; s/:\([^, ]*\)/ (\1)/g'; }      # a kkm:refused → a, kkm (refused)
noticed() { # those of $1, of what was asked of $2
	if [ -z "$2" ]; then echo "not asked"; elif [ -z "$1" ]; then echo "none of $(listed $2)"; else listed $1; fi
}

# The claims of a run that are violated, and the controls that hold.
violated() {
	"$dir/mercer" check "$1" --json | awk -F '"' '
		/^    "claim":/ {claim = $4} /^    "outcome":/ {outcome = $4} /^    "control": true/ {control = 1}
		/^  }/ {if (outcome == (control ? "holds" : "violated") && !seen[claim]++) print claim; control = 0}'
}

# try makes the mistake of patch $1, none of /dev/null, and sets tests, verdicts and worse to who
# notices it among the packages $2 and the smoke profiles $3.
try() {
	tests= verdicts= worse= replaced= file=$(sed -n 's|^+++ b/||p' "$1")
	rm -rf "$dir/tree" "$dir/results"
	if [ -n "$file" ]; then
		mkdir -p "$dir/tree/$(dirname "$file")"
		cp "$file" "$dir/tree/$file"
		(cd "$dir/tree" && GIT_CEILING_DIRECTORIES=$dir git apply "$OLDPWD/$1")
		replaced="\"$PWD/$file\": \"$dir/tree/$file\""
	fi
	echo "{\"Replace\": {$replaced}}" >"$dir/overlay"
	[ "$(code_of go build -overlay "$dir/overlay" -o "$dir/mercer" .)" = 0 ] || stop "$1 does not compile"
	for package in $2; do
		[ "$(code_of go test -overlay "$dir/overlay" -vet=off -count=1 -failfast -timeout=20m "$package")" != 0 ] || continue
		tests=$(sed -nE 's/^--- FAIL: ([A-Za-z0-9_]+).*/\1/p; s/^panic: .*/panic/p' "$dir/out" | sort -u)
		[ -n "$tests" ] || stop "$1: $package"
		break
	done
	for name in $3; do
		run=$dir/results/$name/smoke
		code=$(code_of "$dir/mercer" run "$name" --profile smoke --out "$run" --skip-missing-data --quiet)
		case $code in
		0) ;;
		3) for claim in $(violated "$run"); do verdicts="$verdicts $name/$claim"; done ;;
		*) verdicts="$verdicts $name:exit-$code" ;;
		esac
		code=$(code_of "$dir/mercer" compare "results/reference/$name/smoke" "$run")
		case $code in 0) ;; 2) worse="$worse $name:refused" ;; 4) worse="$worse $name" ;; *) stop "compare of $name" ;; esac
	done
}

picked=$(LC_ALL=C ls internal/mutants/*.patch | grep -E "mutants/.*(${1:-}).*\.patch") || { echo "no mutant matches $1" >&2; exit 1; }
try /dev/null "" "$(for patch in $picked; do field smokes "$patch"; done | tr ' ' '\n' | sort -u)"
[ -z "$verdicts$worse" ] || { echo "wrong without a mistake:$verdicts$worse" >&2; exit 1; }
escaped=
for patch in $picked; do
	mutant=$(basename "$patch" .patch) packages=$(field tests "$patch") smokes=$(field smokes "$patch")
	try "$patch" "$packages" "$smokes"
	[ -n "$tests$verdicts$worse" ] || escaped="$escaped $mutant"
	echo "| $mutant: $(field says "$patch") | $(noticed "$tests" "$packages") | $(noticed "$verdicts" "$smokes") | $(noticed "$worse" "$smokes") |" | tee -a "$dir/rows"
done
if [ -z "${1:-}" ]; then
	{ sed '/^|---/q' docs/mutants.md; cat "$dir/rows"; awk -F ' [|] ' '{for (k = 2; k <= 4; k++) n[k] += $k !~ /^(none of|not asked)/}
		END {printf "\nOf %d mistakes tests notice %d, smoke verdicts %d and compare %d.\n", NR, n[2], n[3], n[4]}' "$dir/rows"; } >"$dir/table"
	mv "$dir/table" docs/mutants.md
fi
[ -z "$escaped" ] || { echo "escaped:$escaped" >&2; exit 1; }
