package claims

import (
	"maps"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/lists"
	"mercer/results"
)

// ofAbsent are the verdicts on the data sets that are missing.
func (j *judge) ofAbsent(of string, s configs.Selection) []Verdict {
	var verdicts []Verdict
	for _, id := range j.absent(s.Where) {
		v := newVerdict(at("dataset", configs.TextOf(id)), of, 0, j.look)
		reason, _, _ := strings.Cut(j.Catalog.Absent[id], "\n")
		v.Outcome = NotApplicable
		v.say(doubt("data_missing", "why", reason))
		verdicts = append(verdicts, v)
	}
	return verdicts
}

// absent are the data sets that conditions pick and whose data are missing.
func (j *judge) absent(where configs.Conditions) []string {
	picked := where["dataset"].Value
	return lists.Where(slices.Sorted(maps.Keys(j.Catalog.Absent)), func(id string) bool { return picked == nil || slices.Contains(picked, id) })
}

// emptySelection is the verdict on a selection without records; none where the data
// that have them are missing, which has a verdict of its own.
func (j *judge) emptySelection(of string, s configs.Selection, confidence float64) []Verdict {
	if len(j.absent(s.Where)) > 0 {
		return nil
	}
	picked := lists.Map(slices.Sorted(maps.Keys(s.Where)), func(name string) string { return name + "=" + strings.Join(s.Where[name].Value, "|") })
	d := doubt("no_rows", "picked", strings.Join(picked, " "), "missing", j.Missing(), "filter", j.Manifest.Filter)
	return []Verdict{inconclusive(newVerdict(results.Key{}, of, confidence, j.look), d)}
}
