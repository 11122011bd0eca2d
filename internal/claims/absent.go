package claims

import (
	"fmt"
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
		v.Outcome, v.Brief, v.Reason = NotApplicable, "data are missing", "data: "+reason
		v.Settle = "get the data (the run's report says how) and run again"
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
	d := Doubt{reason: "the run has no records"}
	if len(picked) > 0 {
		d.reason = "no record has " + strings.Join(picked, " ")
	}
	switch missing := j.Missing(); {
	case missing > 0:
		d.settle = fmt.Sprintf("finish the run: %d records are missing", missing)
	case j.Manifest.Filter != "":
		d.settle = "run without the filter " + j.Manifest.Filter
	default:
		d.settle = "check the claim's where against the run's grid and profile"
	}
	return []Verdict{inconclusive(newVerdict(results.Key{}, of, confidence, j.look), d)}
}
