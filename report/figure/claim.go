package figure

import (
	"slices"
	"strings"

	"mercer/internal/claims"
	"mercer/report/format"
)

// maxCombined is how many groups one figure has, each with a fitted and a claimed
// line.
const maxCombined = 6

// OfClaim are the figures of a claim's verdicts, under names that are not taken:
// one of each slope (without a path where it has no points), and those of several.
func OfClaim(id string, verdicts []claims.Verdict, taken map[string]bool, l Labels) (single, combined []Figure) {
	single = make([]Figure, len(verdicts))
	var slopes []claims.Verdict
	for i, v := range verdicts {
		points, note := drawable(v)
		if v.Points = points; len(points) > 0 {
			title := strings.TrimSuffix(v.Claim+": "+format.PlainWhere(l.Where(v.Group)), ": ")
			single[i] = slopeFigure(title, []claims.Verdict{v}, v.Group, l)
			single[i].Path = FigurePath(taken, v.Claim, format.BriefWhere(v.Group))
			slopes = append(slopes, v)
		}
		single[i].Note = note
	}
	if len(slopes) > 1 {
		charts := (len(slopes) + maxCombined - 1) / maxCombined
		for part := range slices.Chunk(slopes, (len(slopes)+charts-1)/charts) {
			f := slopeFigure(id+": all groups", part, format.SharedBy(verdicts), l)
			f.Path = FigurePath(taken, id, "all")
			combined = append(combined, f)
		}
	}

	if len(slopes) == 0 && verdicts[0].Kind != "slope" {
		if f := forest(id, verdicts, l); len(f.Chart.Panels) > 0 {
			f.Path = FigurePath(taken, id, "all")
			combined = append(combined, f)
		}
	}
	return single, combined
}
