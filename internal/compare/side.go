package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/plain"
	"mercer/internal/selection"
	"mercer/internal/sizes"
	"mercer/results"
)

// Side is one of the two runs of a comparison.
type Side struct {
	Name     string // as the user called it
	Manifest results.Manifest
	Records  []results.Record
	Verdicts []claims.Verdict
	Answers  []claims.Answer
}

// Pair is a run and the earlier one that it is held against.
type Pair struct{ Base, New Side }

// Only are the pairs where either side has records that conditions pick, with these alone.
// Verdicts and answers, which are of all records, are left out. It is an error that no side
// has one.
func Only(pairs []Pair, where configs.Conditions) ([]Pair, error) {
	if len(where) == 0 {
		return pairs, nil
	}
	var picked []Pair
	var first error
	for _, p := range pairs {
		base, errBase := p.Base.only(where)
		changed, errNew := p.New.only(where)
		if errBase == nil || errNew == nil {
			picked = append(picked, Pair{Base: base, New: changed})
		}
		first = cmp.Or(first, errNew)
	}
	if len(picked) == 0 {
		return nil, first
	}
	return picked, nil
}

// only has the records that conditions pick, none beside an error. The keys are those of all
// records and would make a side incomplete.
func (s Side) only(where configs.Conditions) (Side, error) {
	run, err := selection.Only(results.Run{Manifest: s.Manifest, Records: s.Records}, where)
	s.Manifest.Keys, s.Verdicts, s.Answers = nil, nil, nil
	if s.Records = run.Records; err != nil {
		s.Records = nil
	}
	return s, err
}

// Origin says where the numbers of a side come from.
type Origin struct {
	Name    string          `json:"name"`
	Commit  string          `json:"commit,omitempty"`
	Started string          `json:"started,omitempty"`
	Seed    uint64          `json:"seed"`
	Repeats int             `json:"repeats"`
	Records int             `json:"records"`
	BLAS    string          `json:"blas,omitempty"`
	Machine results.Machine `json:"machine"`
}

func (s Side) origin() Origin {
	return Origin{
		Name: s.Name, Commit: s.Manifest.Commit, Started: s.Manifest.Started, Seed: s.Manifest.Seed,
		Repeats: s.Manifest.Repeats, Records: len(s.Records), BLAS: s.Manifest.Versions["blas"], Machine: s.Manifest.Machine,
	}
}

// absent says why the data of a data set could not be read or fetched.
func (s Side) absent(dataset string) string { return s.Manifest.Datasets[dataset].Absent }

// absent says whether the data of a data set are missing on either side.
func (p Pair) absent(dataset string) bool {
	return p.Base.absent(dataset) != "" || p.New.absent(dataset) != ""
}

// sameMachine says whether times of both sides can be compared. Memory is left
// out: a control group's limit is no other machine.
func sameMachine(a, b results.Machine) bool {
	return a.OS == b.OS && a.Arch == b.Arch && a.CPU == b.CPU && a.Cores == b.Cores
}

// Cell is one point of the grid for one method. Point is the whole grid point;
// the other sizes are those after the method's own overrides.
type Cell struct {
	Dataset string `json:"dataset"`
	Kernel  string `json:"kernel"`
	Method  string `json:"method"`
	sizes.Sizes
	Point map[string]float64 `json:"point"`
}

func cellOf(r results.Record) Cell {
	return Cell{Dataset: r.Dataset, Kernel: r.Kernel, Method: r.Method, Sizes: r.Sizes, Point: r.Point}
}

// unsized is the same for the cells of both sides that are compared: a method's own
// sizes may have changed.
func unsized(r *results.Record) results.Cell {
	id := results.CellOf(r)
	id.Sizes = sizes.Sizes{}
	return id
}

// group is the cell's data set, kernel and method.
func (c Cell) group() Group { return Group{c.Dataset, c.Kernel, c.Method} }

// String is the cell in few words: "poly2 series nystrom n=500 m=70 ell=5 theta=0.5".
func (c Cell) String() string {
	words := []string{c.group().String()}
	for _, name := range sizes.Names {
		if size := c.Sizes.Get(name); size != 0 {
			words = append(words, fmt.Sprintf("%s=%d", name, size))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Point)) {
		if !sizes.Is(name) {
			words = append(words, name+"="+plain.Number(c.Point[name]))
		}
	}
	return strings.Join(words, " ")
}

// Group is what cells are pooled over: all but the grid.
type Group struct {
	Dataset string `json:"dataset"`
	Kernel  string `json:"kernel"`
	Method  string `json:"method"`
}

func (g Group) String() string {
	return strings.Join(slices.DeleteFunc([]string{g.Dataset, g.Kernel, g.Method}, func(s string) bool { return s == "" }), " ")
}

// match is a cell of both sides, with its records by repeat.
type match struct {
	cell      Cell
	base, new map[int]results.Record
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

// comparable says whether each side has a record that is ok.
func (m match) comparable() bool { return anyOK(m.base) && anyOK(m.new) }

func anyOK(records map[int]results.Record) bool {
	for _, r := range records {
		if r.Status == results.OK {
			return true
		}
	}
	return false
}

// sameKeys says whether the records of both sides were to be the same.
func (m match) sameKeys() bool {
	both := m.repeats()
	for _, r := range both {
		if m.base[r].Key != m.new[r].Key {
			return false
		}
	}
	return len(both) > 0
}

// matches puts the cells of both sides side by side, in the order of the new
// side; cells of one side alone have no records of the other.
func matches(p Pair) []match {
	var out []match
	index := map[results.Cell]int{}
	add := func(records []results.Record, side func(*match) map[int]results.Record) {
		for _, r := range records {
			id := unsized(&r)
			i, known := index[id]
			if !known {
				i = len(out)
				index[id] = i
				out = append(out, match{cellOf(r), map[int]results.Record{}, map[int]results.Record{}})
			}
			side(&out[i])[r.Repeat] = r
		}
	}
	add(p.New.Records, func(m *match) map[int]results.Record { return m.new })
	add(p.Base.Records, func(m *match) map[int]results.Record { return m.base })
	return out
}

// repeatsOf lists the repeats of a side.
func repeatsOf[V any](side map[int]V) []int { return slices.Sorted(maps.Keys(side)) }
