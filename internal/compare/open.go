package compare

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/misuse"
	"mercer/results"
)

// Source finds the runs that names stand for.
type Source struct {
	Root string // directory of all runs
	// Judge gives the verdicts on a run's own claims and the answers to its targets.
	Judge func(results.Run) ([]claims.Verdict, []claims.Answer, error)
	Warn  func(format string, args ...any) // says what was odd in a run
}

// opener reads a run, or a reference.
type opener func() (Side, error)

// named are the runs that a name stands for, by experiment/profile; a name of one
// run has it at "".
type named struct {
	name string
	open map[string]opener
}

func (n named) isOne() bool { return n.open[""] != nil }

// matching is the run that goes with another.
func (n named) matching(other Side) (Side, error) {
	if n.isOne() {
		return n.open[""]()
	}
	id := idOf(other.Run)
	open, ok := n.open[id]
	if !ok {
		return Side{}, misuse.Errorf("%s has no run of %s; it has %s; mercer export RUN --format reference --out DIR makes a reference",
			n.name, id, strings.Join(slices.Sorted(maps.Keys(n.open)), ", "))
	}
	return open()
}

func idOf(r results.Run) string { return r.Spec.Name + "/" + r.Manifest.Profile }

// Pairs are the runs to compare that two names stand for, and findings on those that
// have no other. A name is the folder of a run or a reference, an experiment,
// or a directory of such folders.
func (s Source) Pairs(base, new string) ([]Pair, []Finding, error) {
	b, err := s.find(base)
	if err != nil {
		return nil, nil, err
	}
	n, err := s.find(new)
	if err != nil {
		return nil, nil, err
	}
	var p Pair
	switch {
	case !b.isOne() && !n.isOne():
		return pairMany(b, n)
	case n.isOne():
		if p.New, err = n.matching(Side{}); err == nil {
			p.Base, err = b.matching(p.New)
		}
	default:
		if p.Base, err = b.matching(Side{}); err == nil {
			p.New, err = n.matching(p.Base)
		}
	}
	if err == nil && p.Base.Spec.Name != p.New.Spec.Name {
		err = misuse.Errorf("%s is a run of %s, %s of %s: only runs of one experiment can be compared",
			p.Base.Name, p.Base.Spec.Name, p.New.Name, p.New.Spec.Name)
	}
	return []Pair{p}, nil, err
}

func pairMany(b, n named) (pairs []Pair, alone []Finding, err error) {
	for _, id := range slices.Sorted(maps.Keys(b.open)) {
		if n.open[id] == nil {
			alone = append(alone, Finding{Severity: Regression, Kind: Dropped, Experiment: id, Text: "no run in " + n.name, Do: "run it, or delete its reference"})
			continue
		}
		var p Pair
		if p.Base, err = b.open[id](); err != nil {
			return nil, nil, err
		}
		if p.New, err = n.open[id](); err != nil {
			return nil, nil, err
		}
		pairs = append(pairs, p)
	}
	for _, id := range slices.Sorted(maps.Keys(n.open)) {
		if b.open[id] == nil {
			alone = append(alone, Finding{Severity: Note, Kind: Added, Experiment: id, Text: "not in " + b.name, Do: watch})
		}
	}
	return pairs, alone, nil
}

// find finds out what a name stands for.
func (s Source) find(name string) (named, error) {
	one := func(open opener) (named, error) { return named{name, map[string]opener{"": open}}, nil }
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		if n, err := s.below(name); err != nil || len(n.open) > 0 {
			return n, err
		}
	case err == nil && slices.Contains([]string{results.RecordsFile, results.PackedFile, results.ManifestFile}, filepath.Base(name)):
		return one(func() (Side, error) { return s.run(filepath.Dir(name)) })
	case err == nil:
		return named{}, misuse.Errorf("%s is a file; name the folder of a run or of a reference", name)
	}
	if dir, err := results.Latest(s.Root, name); err == nil {
		return one(func() (Side, error) { return s.run(dir) })
	}
	return named{}, misuse.Errorf("%q is not a run, an experiment with runs below %s, a reference, or a directory of these; references of another commit: git worktree add DIR COMMIT, and DIR/results/reference",
		name, s.Root)
}

// below are the runs below a directory, the last started of each experiment and profile; where
// there are none, its references.
func (s Source) below(dir string) (named, error) {
	runs, references, started := named{dir, map[string]opener{}}, named{dir, map[string]opener{}}, map[string]string{}
	for _, run := range results.RunsBelow(dir) {
		open := func() (Side, error) { return s.run(run) }
		if run == dir {
			runs.open[""] = open
			return runs, nil
		}
		head, err := results.Head(run)
		if err != nil {
			return runs, err
		}
		id := idOf(head)
		if _, err := os.Lstat(filepath.Join(run, VerdictsFile)); err == nil {
			references.open[id] = open
		} else if at, ok := started[id]; !ok || head.Manifest.Started > at {
			started[id], runs.open[id] = head.Manifest.Started, open
		}
	}
	if len(runs.open) > 0 {
		return runs, nil
	}
	return references, nil
}

// run loads a run and judges its claims, or reads a reference.
func (s Source) run(dir string) (Side, error) {
	name := filepath.ToSlash(dir)
	if side, is, err := ReadReference(dir, name); is {
		return side, err
	}
	run, err := results.Load(dir)
	if err != nil {
		return Side{}, err
	}
	for _, warning := range run.Warnings {
		s.Warn("%s", warning)
	}
	verdicts, answers, err := s.Judge(run)
	return Side{name, run, verdicts, answers}, err
}
