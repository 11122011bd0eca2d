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
	"maps"
	"math"
	"math/bits"
	"slices"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/selection"
	"mercer/results"
	"mercer/runner/plan"
)

// Design is a data set with a kernel, by their ids.
type Design struct{ Dataset, Kernel string }

// Computation is what is computed once in a repeat: cells that differ only in sizes that
// their method does not use share it.
type Computation struct {
	Design
	Method, Work string
}

// Need is a number of repeats that a search asks for.
type Need struct {
	Computation
	Repeats int
}

// Search finds answers in the records of a run.
type Search struct {
	Spec      *configs.Spec
	Resolved  *plan.Resolved
	Designs   []Design
	Constants map[string]map[string]float64 // of the data sets
	// Doubt says that what an answer takes for granted is held against all records that there
	// are, which other targets may have asked for (claims.Answer.Against).
	Doubt bool
}

// Answers are those that the files of a run give on the targets of its spec.
func Answers(run results.Run, spec *configs.Spec) ([]claims.Answer, error) {
	if len(spec.Targets) == 0 {
		return nil, nil
	}
	resolved, _ := plan.Resolve(spec) // of a spec of another version: as far as it goes
	s := Search{Spec: spec, Resolved: resolved, Constants: map[string]map[string]float64{}, Doubt: true}
	for id, info := range run.Manifest.Datasets {
		s.Constants[id] = info.Constants
	}
	s.Designs = lists.Once(lists.Map(run.Records, func(r results.Record) Design { return Design{r.Dataset, r.Kernel} }))
	answers, _, err := s.Find(run)
	return answers, err
}

// Of are the computations of the methods that targets name, at all points: only those
// that a search asks for are due.
func (s Search) Of() (map[Computation]bool, error) {
	all := map[Computation]bool{}
	for _, t := range s.Spec.Targets {
		groups, err := s.groups(t)
		if err != nil {
			return nil, err
		}
		for _, g := range groups {
			for _, c := range g.candidates {
				for _, of := range c.of {
					all[of] = true
				}
			}
		}
	}
	return all, nil
}

// Find gives the answers that the records of a run allow, and what is needed for the
// others. It reads no record that the search has not come to.
func (s Search) Find(run results.Run) (answers []claims.Answer, needs []Need, err error) {
	t := tester{run: run, world: claims.Context{Constants: s.Constants}, looks: s.Spec.Repeats.Looks(), records: map[Computation][]results.Record{}}
	for _, r := range run.Records {
		of := Computation{Design{r.Dataset, r.Kernel}, r.Method, r.Work}
		if known := t.records[of]; !slices.ContainsFunc(known, func(k results.Record) bool { return k.Repeat == r.Repeat }) {
			t.records[of] = append(known, r)
		}
	}
	all, err := s.all()
	if err != nil {
		return nil, nil, err
	}
	for i, target := range s.Spec.Targets {
		for _, g := range all[i] {
			t.target, t.group, t.needs, t.err = target, g, nil, nil
			a := t.search()
			needs = append(needs, t.needs...)
			if s.Doubt && !a.Open {
				a.Against = t.against(a)
			}
			answers = append(answers, a)
			if t.err != nil {
				return nil, nil, t.err
			}
		}
	}
	return answers, needs, nil
}

// all are the groups of each target, with the error rate of each one's answer.
func (s Search) all() ([][]group, error) {
	all, named := make([][]group, len(s.Spec.Targets)), 0
	for i, t := range s.Spec.Targets {
		groups, err := s.groups(t)
		if err != nil {
			return nil, err
		}
		for k := range groups {
			if groups[k].named = s.named(t, groups[k]); groups[k].named {
				named++
			}
		}
		all[i] = groups
	}
	for i, t := range s.Spec.Targets {
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

// named says whether a claim is judged by the answer of a group.
func (s Search) named(t configs.Target, g group) bool {
	answer := claims.Answer{Target: t.ID, Group: g.at, Over: t.Over.Value, At: g.over}
	return slices.ContainsFunc(s.Spec.Statements(), answer.UsedBy)
}

// group is a part of the grid that has one answer.
type group struct {
	named      bool    // claims are judged by its answer
	wrong      float64 // in what share of runs, at most, an end of the answer is; of either end
	at         []selection.Coordinate
	over       float64
	dataset    string
	candidates []candidate // in ascending order
}

// candidate is a value of the variable that is sought, and what its test needs.
type candidate struct {
	value float64
	point map[string]float64
	of    []Computation
}

// groups splits the points of the grid that a target is about.
func (s Search) groups(t configs.Target) ([]group, error) {
	_, kind := t.Claim().Kind()
	where := kind.Picked().Where
	var groups []group
	index := map[string]int{}
	for _, d := range s.Designs {
		points, err := s.Spec.Grid.Points(s.Constants[d.Dataset])
		if err != nil {
			return nil, err
		}
		for i := range points.Len() {
			point := points.At(i)
			if !picks(where, d, point) {
				continue
			}
			c, err := s.candidate(t, d, point)
			if err != nil {
				return nil, err
			}
			at := []selection.Coordinate{{Name: "dataset", Value: d.Dataset}, {Name: "kernel", Value: d.Kernel}}
			for _, name := range t.By() {
				if x, ok := point[name]; ok {
					at = append(at, selection.Coordinate{Name: name, Value: fmt.Sprint(x)})
				}
			}
			id := fmt.Sprint(selection.Describe(at), point[t.Over.Value])
			number, known := index[id]
			if !known {
				number, index[id] = len(groups), len(groups)
				groups = append(groups, group{at: at, over: point[t.Over.Value], dataset: d.Dataset})
			}
			groups[number].candidates = append(groups[number].candidates, c)
		}
	}
	for i := range groups {
		list := groups[i].candidates
		slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.value, b.value) })
		for k := 1; k < len(list); k++ {
			if list[k].value == list[k-1].value {
				return nil, configs.Errorf(t.Pos, "target %q: several points of the grid have %s = %g at %s; name the variables in which they differ in by", t.ID, t.Find.Value, list[k].value, selection.Describe(groups[i].at))
			}
		}
	}
	return groups, nil
}

func picks(where configs.Conditions, d Design, point map[string]float64) bool {
	apart := configs.Conditions{}
	for column, words := range where {
		if column != "method" {
			apart[column] = words
		}
	}
	return apart.Match(map[string]string{"dataset": d.Dataset, "kernel": d.Kernel}, func(column string) (float64, bool) {
		x, ok := point[column]
		return x, ok
	})
}

func (s Search) candidate(t configs.Target, d Design, point map[string]float64) (candidate, error) {
	c := candidate{value: point[t.Find.Value], point: point}
	for _, id := range t.Methods() {
		i := slices.IndexFunc(s.Spec.Methods, func(m configs.Component) bool { return m.ID == id })
		sizes, err := s.Spec.Methods[i].SizesAt(point, s.Constants[d.Dataset])
		if err != nil {
			return c, err
		}
		c.of = append(c.of, Computation{d, id, s.Resolved.Work(id, sizes)})
	}
	return c, nil
}

// tester tests candidates of one group by the records of a run.
type tester struct {
	run     results.Run
	world   claims.Context
	looks   []int
	records map[Computation][]results.Record // one of each repeat
	target  configs.Target
	group   group
	needs   []Need
	next    claims.Next // of a search that is open
	why     string      // a candidate is not decided where the statement does not apply
	err     error
}

// Of a test.
const (
	fails = iota
	holds
	undecided
	unknown // records are missing
)

// search bisects the candidates.
func (t *tester) search() claims.Answer {
	list := t.group.candidates
	a := claims.Answer{
		Target: t.target.ID, Says: t.target.Says, Group: t.group.at, Over: t.target.Over.Value, At: t.group.over, Find: t.target.Find.Value,
		Least: list[0].value, Most: list[len(list)-1].value, Wrong: t.group.wrong, Fixed: t.fixed(),
	}
	if a.Theory, a.Curve, t.err = t.theory(); t.err != nil {
		return a
	}
	tested := map[int]int{}
	test := func(i int) int {
		if _, known := tested[i]; !known {
			tested[i] = t.test(i)
		}
		return tested[i]
	}
	low, high := -1, len(list) // the largest that fails, the least that holds
	for high-low > 1 {
		middle := (low + high) / 2
		switch test(middle) {
		case holds:
			high = middle
		case fails:
			low = middle
		case unknown:
			a.Open = true
			return t.answer(a, tested, low, high)
		case undecided: // then on both sides of it
			low, high, a.Open = t.beside(low, middle, high, test)
			return t.answer(a, tested, low, high)
		}
	}
	return t.answer(a, tested, low, high)
}

// fixed are the grid variables that all candidates have in common.
func (t *tester) fixed() map[string]float64 {
	same := maps.Clone(t.group.candidates[0].point)
	for _, c := range t.group.candidates {
		maps.DeleteFunc(same, func(name string, x float64) bool { return c.point[name] != x })
	}
	return same
}

// theory is what the target compares the answer with.
func (t *tester) theory() (*float64, string, error) {
	curve := t.target.Theory
	if curve == nil {
		return nil, "", nil
	}
	env := maps.Clone(t.group.candidates[0].point)
	for name, x := range t.world.Constants[t.group.dataset] {
		if _, hidden := env[name]; !hidden {
			env[name] = x
		}
	}
	delete(env, t.target.Find.Value)
	x, err := curve.Eval(env)
	return &x, curve.Text, err
}

// beside bisects below and above a value that is not decided.
func (t *tester) beside(low, middle, high int, test func(int) int) (fail, hold int, open bool) {
	for top := middle; top-low > 1 && !open; {
		switch i := (low + top) / 2; test(i) {
		case fails:
			low = i
		case unknown:
			open = true
		default:
			top = i
		}
	}
	for bottom := middle; high-bottom > 1 && !open; {
		switch i := (bottom + high) / 2; test(i) {
		case holds:
			high = i
		case unknown:
			open = true
		default:
			bottom = i
		}
	}
	return low, high, open
}

func (t *tester) answer(a claims.Answer, tested map[int]int, low, high int) claims.Answer {
	list := t.group.candidates
	a.Tested = len(tested)
	var fails, holds *float64
	if low >= 0 {
		fails = &list[low].value
	}
	if high < len(list) {
		holds = &list[high].value
	}
	if a.Open {
		a.Next = t.next
		a.Next.Fails, a.Next.Holds = fails, holds
		return a
	}
	if a.Fails, a.Holds = fails, holds; fails == nil && holds == nil {
		a.Why = t.why
	}
	return a
}

// against are the values at which records contradict what an answer takes for granted: the
// statement holds below a value at which it fails, or fails above one at which it holds.
func (t *tester) against(a claims.Answer) (values []float64) {
	for i, c := range t.group.candidates {
		below := a.Fails != nil && c.value < *a.Fails
		above := a.Holds != nil && c.value > *a.Holds
		if !below && !above {
			continue
		}
		if result := t.test(i); below && result == holds || above && result == fails {
			values = append(values, c.value)
		}
	}
	return values
}

// test tests a candidate, look by look, and asks for what that needs.
func (t *tester) test(i int) int {
	c := t.group.candidates[i]
	for look, repeats := range t.looks {
		records, missing := t.first(c, repeats)
		if len(missing) > 0 {
			t.needs = append(t.needs, missing...)
			t.next = claims.Next{At: c.value, Repeats: repeats}
			return unknown
		}
		switch v := t.judge(c, records, look); {
		case v.Outcome == claims.Holds:
			return holds
		case v.Outcome == claims.NotApplicable:
			t.why = v.Reason
			return undecided
		case v.Outcome != claims.Violated && !v.Open():
			return undecided
		case v.Excluded():
			return fails
		}
	}
	return undecided
}

// first are the first repeats of a candidate's records, at its own point.
func (t *tester) first(c candidate, repeats int) (records []results.Record, missing []Need) {
	for _, of := range c.of {
		count := 0
		for _, r := range t.records[of] {
			if r.Repeat < repeats {
				count++
				r.Point = c.point
				records = append(records, r)
			}
		}
		if count < repeats {
			missing = append(missing, Need{of, repeats})
		}
	}
	return records, missing
}

// tests is the most values of so many that a search tests.
func tests(candidates int) int { return 2 * bits.Len(uint(candidates)) }

func (t *tester) judge(c candidate, records []results.Record, look int) claims.Verdict {
	claim := withLevel(t.target.Claim(), 1-t.group.wrong/float64(tests(len(t.group.candidates))))
	run := t.run
	run.Records, run.Manifest.Keys, run.Manifest.Cells = records, nil, len(records)
	results.SortRecords(run.Records, run.Manifest.Variables)
	world := t.world
	world.Planned = look + 1
	verdicts, err := claims.Judge([]configs.Claim{claim}, run, world)
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
