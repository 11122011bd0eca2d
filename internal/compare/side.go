package compare

import (
	"maps"
	"slices"
	"strings"

	"mercer/internal/claims"
	"mercer/results"
)

// Side is one of the two runs of a comparison.
type Side struct {
	Name string // as the user called it
	results.Run
	Verdicts []claims.Verdict
	Answers  []claims.Answer
}

// Pair is a run and the earlier one that it is held against.
type Pair struct{ Base, New Side }

// Origin says where the numbers of a side come from.
type Origin struct {
	Name    string          `json:"name"`
	Commit  string          `json:"commit,omitempty"`
	Started string          `json:"started,omitempty"`
	Seed    uint64          `json:"seed"`
	Repeats int             `json:"repeats"`
	Rows    int             `json:"rows"`
	BLAS    string          `json:"blas,omitempty"`
	Machine results.Machine `json:"machine"`
}

func (s Side) origin() Origin {
	return Origin{
		Name: s.Name, Commit: s.Manifest.Commit, Started: s.Manifest.Started, Seed: s.Spec.Seed,
		Repeats: s.Manifest.Repeats, Rows: len(s.Rows), BLAS: s.Manifest.Versions["blas"], Machine: s.Manifest.Machine,
	}
}

// absent says whether the data of a data set are missing on either side.
func (p Pair) absent(dataset string) bool {
	return p.Base.Catalog.Absent[dataset]+p.New.Catalog.Absent[dataset] != ""
}

// sameMachine says whether times of both sides can be compared. Memory is left
// out: a control group's limit is no other machine.
func sameMachine(a, b results.Machine) bool {
	return a.OS == b.OS && a.Arch == b.Arch && a.CPU == b.CPU && a.Cores == b.Cores
}

// groupOf is what cells are pooled over: all but the grid.
func groupOf(cell results.Key) results.Key { return cell.Only("dataset", "kernel", "method") }

// words are the columns of a key in few words: "poly2 series nystrom n=500 theta=0.5".
func words(k results.Key) string {
	var list []string
	for name, v := range k.All() {
		switch {
		case v.String() == "":
		case name == "dataset" || name == "kernel" || name == "method":
			list = append(list, v.String())
		default:
			list = append(list, name+"="+v.String())
		}
	}
	return strings.Join(list, " ")
}

// match is a cell of both sides, with its rows by repeat.
type match struct {
	cell      results.Key
	base, new map[int]*results.Row
}

// repeats lists the repeats that both sides have.
func (m match) repeats() []int {
	var both []int
	for _, r := range repeatsOf(m.base) {
		if _, ok := m.new[r]; ok {
			both = append(both, r)
		}
	}
	return both
}

// onBoth says whether both sides have the cell.
func (m match) onBoth() bool { return len(m.base) > 0 && len(m.new) > 0 }

// anyOK says whether a row is ok, and anyRun whether one was not skipped.
func anyOK(rows map[int]*results.Row) bool {
	for _, r := range rows {
		if r.Status == results.OK {
			return true
		}
	}
	return false
}

func anyRun(rows map[int]*results.Row) bool {
	for _, r := range rows {
		if r.Status != results.Skipped {
			return true
		}
	}
	return false
}

// sameRows says whether the rows of both sides were to be the same.
func (m match) sameRows() bool {
	both := m.repeats()
	for _, r := range both {
		if m.base[r].ID != m.new[r].ID {
			return false
		}
	}
	return len(both) > 0
}

// matches puts the cells of both sides side by side, in the order of the new side; cells of
// one side alone have no rows of the other. A size that a spec gives a method by itself tells
// no cells apart: it may have changed.
func matches(p Pair) []match {
	var out []match
	index := map[results.Key]int{}
	add := func(s Side, side func(*match) map[int]*results.Row) {
		for i := range s.Rows {
			r := &s.Rows[i]
			if i > 0 && r.At == s.Rows[i-1].At {
				continue
			}
			own := slices.Concat(p.New.OwnSizes(r.Method()), p.Base.OwnSizes(r.Method()))
			id := sorted(r.At.Without(own...))
			at, known := index[id]
			if !known {
				at = len(out)
				index[id] = at
				out = append(out, match{r.At, map[int]*results.Row{}, map[int]*results.Row{}})
			}
			for j := i; j < len(s.Rows) && s.Rows[j].At == r.At; j++ {
				side(&out[at])[s.Rows[j].Repeat] = &s.Rows[j]
			}
		}
	}
	add(p.New, func(m *match) map[int]*results.Row { return m.new })
	add(p.Base, func(m *match) map[int]*results.Row { return m.base })
	return out
}

// sorted has the columns in an order that does not depend on the spec.
func sorted(k results.Key) results.Key { return k.Only(slices.Sorted(slices.Values(k.Names()))...) }

// repeatsOf lists the repeats of a side.
func repeatsOf[V any](side map[int]V) []int { return slices.Sorted(maps.Keys(side)) }
