package format

import (
	"regexp"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/results"
)

var notSafe = regexp.MustCompile(`[^._0-9a-zA-Z]+`)

// Slug keeps what is safe in a file name and in a link; all else becomes single
// hyphens.
func Slug(s string) string { return strings.Trim(notSafe.ReplaceAllString(s, "-"), "-._") }

// Common are the columns and values that all groups have; none of no groups.
func Common(groups []results.Key) results.Key {
	if len(groups) == 0 {
		return results.Key{}
	}
	common := groups[0]
	for _, at := range groups[1:] {
		common = Without(common, Without(common, at))
	}
	return common
}

// SharedBy is what all groups have in common, when there are several groups. Verdicts on no
// group at all do not count.
func SharedBy(verdicts []claims.Verdict) results.Key {
	var groups []results.Key
	for _, v := range verdicts {
		if len(v.Group.Names()) > 0 {
			groups = append(groups, v.Group)
		}
	}
	if len(groups) < 2 {
		return results.Key{}
	}
	return Common(groups)
}

// Several says of "dataset" and "kernel" whether rows have several.
func Several(rows []results.Row) map[string]bool {
	several := map[string]bool{}
	for i := range rows {
		if i > 0 && rows[i].At == rows[i-1].At {
			continue
		}
		several["dataset"] = several["dataset"] || rows[i].Dataset() != rows[0].Dataset()
		several["kernel"] = several["kernel"] || rows[i].Kernel() != rows[0].Kernel()
	}
	return several
}

// Told is a group without the data set and the kernel where all rows have the same.
func Told(group results.Key, several map[string]bool) results.Key {
	for _, name := range []string{"dataset", "kernel"} {
		if !several[name] {
			group = group.Without(name)
		}
	}
	return group
}

// Setting is what can be said once for all verdicts: the data set and the kernel that they
// share.
func Setting(verdicts []claims.Verdict) results.Key {
	shared := SharedBy(verdicts)
	return shared.Without(shared.Without("dataset", "kernel").Names()...)
}

// Without is group less what shared has too.
func Without(group, shared results.Key) results.Key {
	var both []string
	for name, v := range group.All() {
		if shared.Get(name) == v {
			both = append(both, name)
		}
	}
	return group.Without(both...)
}

// Varying are the columns of names that have several values in rows; all that occur where
// none has.
func Varying(rows []*results.Row, names []string) []string {
	var vary, there []string
	for _, name := range names {
		known, varies := results.Value{}, false
		for i, row := range rows {
			if v := row.At.Get(name); i == 0 || row.At != rows[i-1].At {
				varies = varies || i > 0 && v != known
				known = v
			}
		}
		if varies {
			vary = append(vary, name)
		}
		if varies || known != (results.Value{}) {
			there = append(there, name)
		}
	}
	if len(vary) == 0 {
		return there
	}
	return vary
}

// Variables are the columns of a run but its data set, kernel and method.
func Variables(run results.Run) (names []string) {
	for _, column := range run.Catalog.Columns {
		if !known(column.Name) {
			names = append(names, column.Name)
		}
	}
	return names
}

// known says that values of a column are known without its name.
func known(column string) bool {
	return column == "dataset" || column == "kernel" || column == "method"
}

// PlainWhere writes a group for a reader: "dataset poly2, theta = 0.5".
func PlainWhere(group results.Key) string { return written(group, " ", " = ") }

// ShortWhere writes a group in few columns: "nystrom, theta=0.5".
func ShortWhere(group results.Key) string { return plain.Text(written(group, "", "=")) }

// written joins columns and values. A sign stands between name and value; that of what is
// known by its value, data sets, kernels and methods, may leave out the name.
func written(group results.Key, between, sign string) string {
	var words []string
	for name, v := range group.All() {
		switch {
		case !known(name):
			words = append(words, name+sign+v.String())
		case between == "":
			words = append(words, v.String())
		default:
			words = append(words, name+between+v.String())
		}
	}
	return strings.Join(words, ", ")
}
