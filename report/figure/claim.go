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
func OfClaim(id string, verdicts []claims.Verdict, taken map[string]bool) (single, combined []Figure) {
	shared := format.SharedBy(verdicts)
	var groups []slopeGroup
	for _, v := range verdicts {
		f := Figure{}
		points, note := drawable(v)
		f.Note, f.Says = note, v.Says
		if len(points) > 0 {
			alone := slopeGroup{look: looks[0], points: points, Verdict: v}
			title := strings.TrimSuffix(v.Claim+": "+format.PlainWhere(v.Group), ": ")
			f.Alt = fmt.Sprintf("%s against %s, log-log: %s", v.Of, v.Over, title)
			f.Path = FigurePath(taken, v.Claim, format.BriefWhere(v.Group))
			f.Chart = slopeChart(title, []slopeGroup{alone})
			alone.name = plain.Text(format.PlainWhere(format.Without(v.Group, shared)))
			groups = append(groups, alone)
		}
		single = append(single, f)
	}
	if len(groups) == 0 {
		if c, more, ok := forest(verdicts); ok {
			f := Figure{Path: FigurePath(taken, id, "all"), Alt: plain.Text(id + ": estimates with their intervals, and what is claimed"), Says: verdicts[0].Says, Chart: c}
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
			part[i].look = looks[i]
			if part[i].name == "" {
				part[i].name = "this group"
			}
		}
		title := id + ": all groups"
		combined = append(combined, Figure{
			Path: FigurePath(taken, id, "all"), Alt: fmt.Sprintf("%s against %s, log-log: %s", part[0].Of, part[0].Over, title),
			Says: part[0].Says, Chart: slopeChart(title, part),
		})
	}
	return single, combined
}
