package figure

import (
	"fmt"
	"slices"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/report/format"
)

// maxCombined is how many groups one figure has, each with a fitted and a claimed
// line.
const maxCombined = 6

// OfClaim are the figures of a claim's verdicts, under names that are not taken:
// one of each slope (without a path where it has no points), and those of several.
func OfClaim(id string, verdicts []claims.Verdict, taken map[string]bool, l Labels) (single, combined []Figure) {
	shared := format.SharedBy(verdicts)
	var groups []slopeGroup
	for _, v := range verdicts {
		f := Figure{}
		points, note := drawable(v)
		f.Note, f.Says = note, l.Sentence(v.Says)
		if len(points) > 0 {
			alone := slopeGroup{points: points, Verdict: v}
			title := strings.TrimSuffix(v.Claim+": "+format.PlainWhere(l.Where(v.Group)), ": ")
			f.slope(title, []slopeGroup{alone}, l)
			f.Path = FigurePath(taken, v.Claim, format.BriefWhere(v.Group))
			alone.name = plain.Text(format.PlainWhere(format.Without(v.Group, shared)))
			groups = append(groups, alone)
		}
		single = append(single, f)
	}
	if len(groups) == 0 {
		if c, more, ok := forest(verdicts); ok {
			f := Figure{Path: FigurePath(taken, id, "all"), Alt: plain.Text(id + ": estimates with their intervals, and what is claimed"), Says: l.Sentence(verdicts[0].Says), Shows: intervalsText(verdicts), Chart: c.labelled(l)}
			if more > 0 {
				f.Note = fmt.Sprintf("The figure has the %d that need most attention; %d more are in %s.", maxForest, more, format.VerdictsTable)
			}
			combined = append(combined, f)
		}
	}
	if len(groups) < 2 {
		return single, combined
	}
	charts := (len(groups) + maxCombined - 1) / maxCombined
	size := (len(groups) + charts - 1) / charts
	for part := range slices.Chunk(groups, size) {
		for i := range part {
			if part[i].name == "" {
				part[i].name = "this group"
			}
		}
		f := Figure{Path: FigurePath(taken, id, "all"), Says: l.Sentence(part[0].Says)}
		f.slope(id+": all groups", part, l)
		combined = append(combined, f)
	}
	return single, combined
}

// intervalsText says what a forest shows.
func intervalsText(verdicts []claims.Verdict) string {
	var repeats tally
	for _, v := range verdicts {
		if plain.Finite(v.Estimate) {
			repeats.count(v.Repeats)
		}
	}
	v := verdicts[0]
	text := fmt.Sprintf("Marks are estimates over %s; ", repeats.repeats())
	switch {
	case v.Level >= 1:
		return fmt.Sprintf("Each record is judged: marks are the worst values over %s; lines go from the least to the greatest.", repeats.repeats())
	case v.Relation == "=":
		return text + "lines are their " + format.Percent(v.Level) + " intervals."
	}
	return text + "each end of a line is a bound at " + format.Percent(v.Level) + "."
}

// slope draws groups of a slope claim, and says what is drawn.
func (f *Figure) slope(title string, groups []slopeGroup, l Labels) {
	v := groups[0].Verdict
	f.Alt = plain.Text(fmt.Sprintf("%s against %s, log-log: %s", l.named(v.Of), l.named(v.Over), title))
	var repeats tally
	for _, g := range groups {
		repeats.count(max(g.Repeats, g.Answers))
	}
	band := ""
	if len(groups) == 1 {
		band = " and the band"
	}
	f.Shows = fmt.Sprintf("Marks are geometric means over %s; bars%s are their %s intervals", repeats.repeats(), band, format.Percent(v.Level))
	switch {
	case v.Answers > 0:
		f.Shows = "Bars" + band + " go from the largest value that fails to the least that holds; marks are their geometric means"
	case repeats.most < 2:
		f.Shows = "Marks are single repeats"
	}
	f.Shows += ". Only the slope is claimed, not the height of its line."
	f.Chart = slopeChart(title, groups).labelled(l)
	f.Chart.Describe = f.Shows
}
