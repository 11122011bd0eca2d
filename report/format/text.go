package format

import (
	"slices"
	"strings"

	"mercer/results"
)

// Joined joins with commas and a last "and"; with semicolons where words have commas.
func Joined(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	comma, and := ", ", " and "
	if slices.ContainsFunc(words, func(word string) bool { return strings.Contains(word, ", ") }) {
		comma, and = "; ", "; and "
	}
	return strings.Join(words[:len(words)-1], comma) + and + words[len(words)-1]
}

func RelationSign(relation string) string {
	switch relation {
	case "<=":
		return "≤"
	case ">=":
		return "≥"
	}
	return relation
}

// Statuses in the order in which the report counts them.
var Statuses = []results.Status{results.OK, results.Failed, results.Timeout, results.OOM, results.Skipped}

var StatusWords = map[results.Status]string{
	results.OK: "ok", results.Failed: "failed", results.Timeout: "timed out",
	results.OOM: "out of memory", results.Skipped: "skipped",
}
