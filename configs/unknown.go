package configs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Nearest is the entry of among that word was probably meant to be, or "" when
// none is near: the edit distance (with swapped neighbours counted as one) must
// be at most a third of the length, at least 1. Of several the first wins.
func Nearest(word string, among []string) string {
	w := []rune(strings.ToLower(word))
	if len(w) == 0 || len(w) > 64 {
		return ""
	}
	best, bestDistance := "", max(1, len(w)/3)+1
	for _, candidate := range among {
		c := []rune(strings.ToLower(candidate))
		if len(c) > 64 || candidate == word {
			continue
		}
		if d := distance(w, c); d < bestDistance && d < max(len(w), len(c)) {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// distance is the optimal string alignment distance of a and b.
func distance(a, b []rune) int {
	before, previous, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(previous[j]+1, row[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, previous, row = previous, row, before
	}
	return previous[len(b)]
}

// Unknown words the complaint about a name that is not one of known: it
// suggests the nearest one, or else lists all.
//
//	unknown key "landmark" in method "nystrom"; did you mean "landmarks"?
//
// Of a name of earlier specs it says what to use instead.
func Unknown(what, word, where string, known []string) string {
	if instead := dropped[what+": "+word]; instead != "" {
		return fmt.Sprintf("%s %s is no longer there; use %s", what, quote(word), instead)
	}
	msg := fmt.Sprintf("unknown %s %s", what, quote(word))
	if where != "" {
		msg += " in " + where
	}
	if near := cmp.Or(otherName(what, strings.ToLower(word)), Nearest(word, known)); near != "" {
		return msg + fmt.Sprintf("; did you mean %q?", near)
	}
	if len(known) == 0 {
		return msg + "; there are none here"
	}
	return msg + "; known: " + listed(known)
}

// otherName is what is meant by a word of other libraries, "" for what is not known.
func otherName(what, word string) string {
	switch {
	case what != "kernel":
	case word == "rbf" || word == "squared-exponential":
		return "gaussian"
	case word == "poly":
		return "polynomial"
	case strings.Contains(word, "+"):
		return "sum"
	case strings.Contains(word, "*"):
		return "product"
	}
	return ""
}

// listed writes names in alphabetical order, each once.
func listed(names []string) string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(names))), ", ")
}

// quote quotes text of a file for a message, cut to a readable length.
func quote(text string) string {
	const limit = 80
	if utf8.RuneCountInString(text) > limit {
		text = string([]rune(text)[:limit-1]) + "…"
	}
	return fmt.Sprintf("%q", text)
}
