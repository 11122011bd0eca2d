package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"mercer/internal/claims"
)

// section is one claim with all its verdicts.
type section struct {
	id, says, source, kind string
	verdicts               []claims.Verdict
	single                 []figure // of each verdict; empty path where it has none
	combined               []figure // of several verdicts
}

// figure is a chart and where it goes.
type figure struct {
	path  string // below the report's folder, with slashes
	alt   string
	note  string // what of the verdict the chart does not show
	chart chart
}

// maxCombined is how many groups one figure has, each with a fitted and a claimed
// line.
const maxCombined = 6

// outcome is the one of the section's verdicts that asks for most attention.
func (s section) outcome() claims.Outcome { return claims.Worst(s.verdicts) }

// figures are all that are drawn, in the order in which the report shows them.
func (s section) figures() []figure {
	return slices.DeleteFunc(slices.Concat(s.combined, s.single), func(f figure) bool { return f.path == "" })
}

// sectionsOf groups verdicts by claim, in the order in which the claims first
// occur, and lays out their figures, under names that are not taken.
func sectionsOf(verdicts []claims.Verdict, taken map[string]bool) []section {
	var sections []section
	index := map[string]int{}
	for _, v := range verdicts {
		i, known := index[v.Claim]
		if !known {
			i = len(sections)
			index[v.Claim] = i
			sections = append(sections, section{id: v.Claim, says: v.Says, source: v.Source, kind: v.Kind})
		}
		sections[i].verdicts = append(sections[i].verdicts, v)
	}
	for i := range sections {
		s := &sections[i]
		s.single, s.combined = claimFigures(s.id, s.verdicts, taken)
	}
	return sections
}

// claimFigures are the figures of a claim's verdicts, under names that are not taken:
// one of each slope (without a path where it has no points), and those of several.
func claimFigures(id string, verdicts []claims.Verdict, taken map[string]bool) (single, combined []figure) {
	shared := sharedBy(verdicts)
	var groups []series
	for _, v := range verdicts {
		f := figure{}
		points, note := drawable(v)
		f.note = note
		if len(points) > 0 {
			alone := series{look: looks[0], points: points, Verdict: v}
			title := strings.TrimSuffix(v.Claim+": "+plainWhere(v.Group), ": ")
			f.alt = fmt.Sprintf("%s against %s, log-log: %s", v.Of, v.Over, title)
			f.path = figurePath(taken, v.Claim, briefWhere(v.Group))
			f.chart = slopeChart(title, []series{alone})
			alone.name = printable(plainWhere(without(v.Group, shared)))
			groups = append(groups, alone)
		}
		single = append(single, f)
	}
	if len(groups) == 0 {
		if f, ok := forest(verdicts, taken); ok {
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
		combined = append(combined, figure{
			path: figurePath(taken, id, "all"), alt: fmt.Sprintf("%s against %s, log-log: %s", part[0].Of, part[0].Over, title),
			chart: slopeChart(title, part),
		})
	}
	return single, combined
}

// figurePath is a name for a figure that no other figure has, on file systems
// too that do not tell upper case from lower case.
func figurePath(taken map[string]bool, claim, group string) string {
	const longest = 100
	name := slug(claim)
	if g := slug(group); g != "" {
		name += "-" + g
	}
	if name == "" || len(name) > longest {
		sum := sha256.Sum256([]byte(claim + "\x00" + group))
		name = strings.Trim(name[:min(len(name), longest-9)]+"-"+hex.EncodeToString(sum[:4]), "-")
	}
	unique := name
	for i := 2; taken[strings.ToLower(unique)]; i++ {
		unique = fmt.Sprintf("%s-%d", name, i)
	}
	taken[strings.ToLower(unique)] = true
	return FiguresFolder + "/" + unique + ".svg"
}

// slug keeps what is safe in a file name and in a link; all else becomes single
// hyphens.
func slug(s string) string {
	var b strings.Builder
	for _, r := range s {
		safe := r == '.' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		switch {
		case safe:
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String(), "-._")
}

// sharedBy are the coordinates that all groups have in common, when there are
// several groups. Verdicts on no group at all do not count.
func sharedBy(verdicts []claims.Verdict) []claims.Coordinate {
	var shared []claims.Coordinate
	groups := 0
	for _, v := range verdicts {
		if len(v.Group) == 0 {
			continue
		}
		if groups++; groups == 1 {
			shared = slices.Clone(v.Group)
			continue
		}
		shared = slices.DeleteFunc(shared, func(c claims.Coordinate) bool { return !slices.Contains(v.Group, c) })
	}
	if groups < 2 {
		return nil
	}
	return shared
}

// setting is what of the shared coordinates can be said once for all verdicts:
// the data set and the kernel.
func setting(verdicts []claims.Verdict) []claims.Coordinate {
	return slices.DeleteFunc(sharedBy(verdicts), func(c claims.Coordinate) bool {
		return c.Name != "dataset" && c.Name != "kernel"
	})
}

// without is group less the coordinates in shared.
func without(group, shared []claims.Coordinate) []claims.Coordinate {
	return slices.DeleteFunc(slices.Clone(group), func(c claims.Coordinate) bool { return slices.Contains(shared, c) })
}

// briefWhere writes coordinates for a file's name: "poly2 nystrom theta 0.5".
func briefWhere(group []claims.Coordinate) string {
	var words []string
	for _, c := range group {
		if c.Name != "dataset" && c.Name != "kernel" && c.Name != "method" {
			words = append(words, c.Name)
		}
		words = append(words, c.Value)
	}
	return strings.Join(words, " ")
}

// plainWhere writes coordinates for a reader: "dataset poly2, theta = 0.5".
func plainWhere(group []claims.Coordinate) string {
	words := make([]string, len(group))
	for i, c := range group {
		switch c.Name {
		case "dataset", "kernel", "method":
			words[i] = c.Name + " " + c.Value
		default:
			words[i] = c.Name + " = " + c.Value
		}
	}
	return strings.Join(words, ", ")
}
