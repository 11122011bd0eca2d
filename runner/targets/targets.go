// Package targets finds the least value of a grid variable at which a statement holds.
//
// A search bisects the values of the grid. At each value that it comes to, the statement
// is tested as a claim is, at as many looks as the spec's repeats have, until the test
// decides that it holds or fails. A value that the most repeats do not decide is left out,
// and the search goes on at both sides of it. The answer is an interval: the largest value
// at which the statement fails, and the least at which it holds. The statement is taken to fail
// up to some value and to hold from there on.
//
// Error rate: over all tests and looks of one answer, its lower end is wrong in at most 5 %
// of runs, and so is its upper end: the statement holds at a value if the
// interval of its test lies inside what is claimed, and fails if it lies outside. Answers that claims
// name share claims.AnswersError among all their ends in place of that.
package targets

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/results"
)

// Need is a number of repeats of a cell that a search asks for.
type Need struct {
	At      results.Key
	Repeats int
}

// Sought are the cells of the methods that targets name, also where a target does not look:
// only those that a search asks for are due. Its error is about targets that cannot be sought
// in the grid.
func Sought(spec *configs.Spec, catalog results.Catalog) (cells []results.Key, err error) {
	var methods []string
	for _, t := range spec.Targets {
		if _, err := groupsOf(spec, catalog, t); err != nil {
			return nil, err
		}
		methods = append(methods, t.Methods()...)
	}
	return lists.Where(catalog.Cells, func(at results.Key) bool { return slices.Contains(methods, at.Text("method")) }), nil
}

// Find gives the answers that the rows of a run allow, and what is needed for the others. It
// reads no row that the search has not come to.
func Find(run results.Run) (answers []claims.Answer, needs []Need, err error) {
	t := tester{run: run, looks: run.Spec.Repeats.Looks(), rows: map[results.Key][]results.Row{}}
	for _, r := range run.Rows {
		t.rows[r.At] = append(t.rows[r.At], r)
	}
	all, err := withRates(run.Spec, run.Catalog)
	if err != nil {
		return nil, nil, err
	}
	for i, target := range run.Spec.Targets {
		for _, g := range all[i] {
			t.target, t.group, t.tested = target, g, map[int]result{}
			answers = append(answers, t.search())
			if t.err != nil {
				return nil, nil, t.err
			}
		}
	}
	return answers, t.needs, nil
}

// withRates are the groups of each target, with the error rate of each one's answer.
func withRates(spec *configs.Spec, catalog results.Catalog) ([][]group, error) {
	all, named := make([][]group, len(spec.Targets)), 0
	for i, t := range spec.Targets {
		groups, err := groupsOf(spec, catalog, t)
		if err != nil {
			return nil, err
		}
		for k := range groups {
			answer := claims.Answer{Target: t.ID, Group: groups[k].at, Over: t.Over.Value, At: groups[k].over}
			if groups[k].named = slices.ContainsFunc(spec.Statements(), answer.UsedBy); groups[k].named {
				named++
			}
		}
		all[i] = groups
	}
	for i, t := range spec.Targets {
		_, kind := t.Claim().Kind()
		for k := range all[i] {
			g := &all[i][k]
			if g.wrong = 1 - cmp.Or(*kind.Confidence(), configs.DefaultLevel); g.named {
				g.wrong = min(g.wrong, claims.AnswersError/float64(2*named))
			}
		}
	}
	return all, nil
}

// group is a part of the grid that has one answer.
type group struct {
	named      bool    // claims are judged by its answer
	wrong      float64 // in what share of runs, at most, an end of the answer is; of either end
	at         results.Key
	over       float64
	candidates []candidate // in ascending order
}

// candidate is a value of the variable that is sought, and the cells that its test needs: of
// the method that is sought, then of the method that it is compared with.
type candidate struct {
	value float64
	cells []results.Key
}

// groupsOf splits the cells that a target is about.
func groupsOf(spec *configs.Spec, catalog results.Catalog, t configs.Target) ([]group, error) {
	run := results.Run{Spec: spec, Catalog: catalog}
	_, kind := t.Claim().Kind()
	where := kind.Picked().Where
	picked := func(method string) (cells []results.Key) {
		for _, at := range catalog.Cells {
			ofMethod := at.Text("method") == method
			if ofMethod && where.Match(func(name string) (results.Value, bool) { return at.Get(name), true }) {
				cells = append(cells, at)
			}
		}
		return cells
	}

	ids := t.Methods()
	split := slices.Concat([]string{"dataset", "kernel"}, t.By())
	var groups []group
	index := map[results.Key]int{}
	for _, at := range picked(ids[0]) {
		value, found := at.Number(t.Find.Value)
		over, placed := at.Number(t.Over.Value)
		if !found || !placed {
			return nil, configs.Errorf(t.Pos, "target %q: method %q has no %s or no %s", t.ID, ids[0], t.Find.Value, t.Over.Value)
		}
		c := candidate{value: value, cells: []results.Key{at}}
		for _, id := range ids[1:] {
			for _, other := range picked(id) {
				own := slices.Concat([]string{"method"}, run.OwnSizes(ids[0]), run.OwnSizes(id))
				if other.Without(own...).Meets(at.Without(own...)) {
					c.cells = append(c.cells, other)
				}
			}
		}
		place := at.Only(append(split, t.Over.Value)...)
		number, known := index[place]
		if !known {
			number, index[place] = len(groups), len(groups)
			groups = append(groups, group{at: at.Only(split...), over: over})
		}
		groups[number].candidates = append(groups[number].candidates, c)
	}
	for i := range groups {
		list := groups[i].candidates
		slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.value, b.value) })
		for k := 1; k < len(list); k++ {
			if list[k].value == list[k-1].value {
				return nil, configs.Errorf(t.Pos, "target %q: several points of the grid have %s = %g at %s; name the variables in which they differ in by", t.ID, t.Find.Value, list[k].value, groups[i].at)
			}
		}
	}
	return groups, nil
}

// tester tests candidates of one group by the rows of a run.
type tester struct {
	run    results.Run
	looks  []int
	rows   map[results.Key][]results.Row
	target configs.Target
	group  group
	tested map[int]result // by candidate
	needs  []Need         // of all groups
	err    error
}

// result is what a test of a candidate says.
type result int

const (
	fails result = iota
	holds
	undecided
	unknown // rows are missing
)

// search bisects the candidates. Where it comes to one that is not decided it goes on at both
// sides of it: below for the largest that fails, above for the least that holds.
func (t *tester) search() claims.Answer {
	list := t.group.candidates
	a := claims.Answer{
		Target: t.target.ID, Says: t.target.Says, Group: t.group.at, Over: t.target.Over.Value, At: t.group.over, Find: t.target.Find.Value,
		Least: list[0].value, Most: list[len(list)-1].value, Wrong: t.group.wrong, Fixed: t.fixed(),
	}
	if curve := t.target.Theory; curve != nil {
		x, err := t.run.At(list[0].cells[0].Without(t.target.Find.Value)).Eval(curve)
		if a.Theory, a.Curve, t.err = &x, curve.Text, err; err != nil {
			return a
		}
	}

	low, high := -1, len(list) // the largest that fails, the least that holds
	open := -1                 // the first that is not decided
	for top := high; top-low > 1 && !a.Open; {
		i := (low + top) / 2
		switch t.result(i) {
		case fails:
			low = i
		case unknown:
			a.Open = true
		case holds:
			if top = i; open < 0 {
				high = i
			}
		case undecided:
			if top = i; open < 0 {
				open = i
			}
		}
	}
	for bottom := open; open >= 0 && high-bottom > 1 && !a.Open; {
		switch i := (bottom + high) / 2; t.result(i) {
		case holds:
			high = i
		case unknown:
			a.Open = true
		default:
			bottom = i
		}
	}
	if a.Tested = len(t.tested); low >= 0 {
		a.Fails = &list[low].value
	}
	if high < len(list) {
		a.Holds = &list[high].value
	}
	return a
}

// result tests a candidate, once.
func (t *tester) result(i int) result {
	if _, known := t.tested[i]; !known {
		t.tested[i] = t.test(t.group.candidates[i])
	}
	return t.tested[i]
}

// fixed are the columns that all candidates have in common.
func (t *tester) fixed() results.Key {
	same := t.group.candidates[0].cells[0]
	for _, c := range t.group.candidates {
		for name, v := range same.All() {
			if c.cells[0].Get(name) != v {
				same = same.Without(name)
			}
		}
	}
	return same
}

// test tests a candidate, look by look, and asks for what that needs.
func (t *tester) test(c candidate) result {
	for look, repeats := range t.looks {
		rows, missing := t.first(c, repeats)
		if len(missing) > 0 {
			t.needs = append(t.needs, missing...)
			return unknown
		}
		switch v := t.judge(c, rows, look); {
		case v.Outcome == claims.Holds:
			return holds
		case v.Outcome != claims.Violated && !v.Open():
			return undecided
		case v.Excluded():
			return fails
		}
	}
	return undecided
}

// first are the first repeats of a candidate's rows.
func (t *tester) first(c candidate, repeats int) (rows []results.Row, missing []Need) {
	for _, at := range c.cells {
		count := 0
		for _, r := range t.rows[at] {
			if r.Repeat < repeats {
				count++
				rows = append(rows, r)
			}
		}
		if count < repeats {
			missing = append(missing, Need{at, repeats})
		}
	}
	return rows, missing
}

// tests is the most values of so many that a search tests.
func tests(candidates int) int { return 2 * bits.Len(uint(candidates)) }

func (t *tester) judge(c candidate, rows []results.Row, look int) claims.Verdict {
	claim := withLevel(t.target.Claim(), 1-t.group.wrong/float64(tests(len(t.group.candidates))))
	run := t.run
	run.Rows, run.Manifest.IDs = rows, nil
	verdicts, err := claims.Judge([]configs.Claim{claim}, run, claims.Context{Planned: look + 1})
	if err != nil || len(verdicts) != 1 {
		if t.err = err; err == nil {
			t.err = fmt.Errorf("target %q at %s = %g: %d verdicts in place of one", t.target.ID, t.target.Find.Value, c.value, len(verdicts))
		}
		return claims.Verdict{Estimate: math.NaN()}
	}
	return verdicts[0]
}

// withLevel is a copy of a claim with another level.
func withLevel(c configs.Claim, level float64) configs.Claim {
	if c.Ratio != nil {
		ratio := *c.Ratio
		ratio.Level = level
		c.Ratio = &ratio
	}
	if c.Value != nil {
		value := *c.Value
		value.Level = level
		c.Value = &value
	}
	return c
}
