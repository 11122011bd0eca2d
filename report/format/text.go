package format

import "mercer/results"

func RelationSign(relation string) string {
	switch relation {
	case "<=":
		return "≤"
	case ">=":
		return "≥"
	}
	return relation
}

var StatusWords = map[results.Status]string{
	results.OK: "ok", results.Failed: "failed", results.Timeout: "timed out",
	results.OOM: "out of memory", results.Skipped: "skipped",
}
