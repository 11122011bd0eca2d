package format

import (
	"regexp"
	"slices"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/results"
)

// Coordinate fixes one column of the records.
type Coordinate = claims.Coordinate

var notSafe = regexp.MustCompile(`[^._0-9a-zA-Z]+`)

// Slug keeps what is safe in a file name and in a link; all else becomes single
// hyphens.
func Slug(s string) string { return strings.Trim(notSafe.ReplaceAllString(s, "-"), "-._") }

// Common are the coordinates that all groups have; none of no groups.
func Common(groups [][]Coordinate) []Coordinate {
	if len(groups) == 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(groups[0]), func(c Coordinate) bool {
		return slices.ContainsFunc(groups, func(at []Coordinate) bool { return !slices.Contains(at, c) })
	})
}

// SharedBy are the coordinates that all groups have in common, when there are
// several groups. Verdicts on no group at all do not count.
func SharedBy(verdicts []claims.Verdict) []Coordinate {
	var groups [][]Coordinate
	for _, v := range verdicts {
		if len(v.Group) > 0 {
			groups = append(groups, v.Group)
		}
	}
	if len(groups) < 2 {
		return nil
	}
	return Common(groups)
}

// Several says of "dataset" and "kernel" whether records have several.
func Several(records []results.Record) map[string]bool {
	several := map[string]bool{}
	for i := range records {
		several["dataset"] = several["dataset"] || records[i].Dataset != records[0].Dataset
		several["kernel"] = several["kernel"] || records[i].Kernel != records[0].Kernel
	}
	return several
}

// Told is a group without the data set and the kernel where all records have the same.
func Told(group []Coordinate, several map[string]bool) []Coordinate {
	return slices.DeleteFunc(slices.Clone(group), func(c Coordinate) bool {
		return (c.Name == "dataset" || c.Name == "kernel") && !several[c.Name]
	})
}

// Setting is what of the shared coordinates can be said once for all verdicts:
// the data set and the kernel.
func Setting(verdicts []claims.Verdict) []Coordinate {
	return slices.DeleteFunc(SharedBy(verdicts), func(c Coordinate) bool {
		return c.Name != "dataset" && c.Name != "kernel"
	})
}

// Without is group less the coordinates in shared.
func Without(group, shared []Coordinate) []Coordinate {
	return slices.DeleteFunc(slices.Clone(group), func(c Coordinate) bool { return slices.Contains(shared, c) })
}

// BriefWhere writes coordinates for a file's name: "poly2 nystrom theta 0.5".
func BriefWhere(group []Coordinate) string { return written(group, "", " ", " ") }

// PlainWhere writes coordinates for a reader: "dataset poly2, theta = 0.5".
func PlainWhere(group []Coordinate) string { return written(group, " ", " = ", ", ") }

// ShortWhere writes coordinates in few columns: "nystrom, theta=0.5".
func ShortWhere(group []Coordinate) string { return plain.Text(written(group, "", "=", ", ")) }

// BesideWhere writes coordinates in brackets behind a number: "nystrom, theta = 0.5".
func BesideWhere(group []Coordinate) string { return written(group, "", " = ", ", ") }

// written joins coordinates. A sign stands between name and value; that of what is
// known by its value, data sets, kernels and methods, may leave out the name.
func written(group []Coordinate, known, sign, between string) string {
	words := make([]string, len(group))
	for i, c := range group {
		switch isKnown := c.Name == "dataset" || c.Name == "kernel" || c.Name == "method"; {
		case !isKnown:
			words[i] = c.Name + sign + c.Value
		case known == "":
			words[i] = c.Value
		default:
			words[i] = c.Name + known + c.Value
		}
	}
	return strings.Join(words, between)
}
