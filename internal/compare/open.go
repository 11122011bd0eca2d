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

// Pairs are the runs to compare that two names stand for, and findings on those that
// have no other. A name is the folder of a run or a reference, an experiment,
// or a directory of such folders.
func (s Source) Pairs(base, new string) (pairs []Pair, alone []Finding, err error) {
	b, oneBase, err := s.find(base)
	if err != nil {
		return nil, nil, err
	}
	n, oneNew, err := s.find(new)
	if err != nil {
		return nil, nil, err
	}
	if oneBase && oneNew { // whatever their profiles are
		id := slices.Collect(maps.Keys(b))[0]
		n = map[string]string{id: slices.Collect(maps.Values(n))[0]}
	}
	for _, id := range slices.Sorted(maps.Keys(b)) {
		switch {
		case n[id] != "":
			p, err := s.pair(b[id], n[id])
			if err != nil {
				return nil, nil, err
			}
			pairs = append(pairs, p)
		case !oneNew:
			alone = append(alone, Finding{Severity: Regression, Kind: Dropped, Experiment: id, Text: "no run in " + new, Do: "run it, or delete its reference"})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(n)) {
		switch {
		case b[id] != "":
		case oneNew:
			return nil, nil, misuse.Errorf("%s has no run of %s; it has %s; mercer export RUN --format reference --out DIR makes a reference", base, id, strings.Join(slices.Sorted(maps.Keys(b)), ", "))
		case !oneBase:
			alone = append(alone, Finding{Severity: Note, Kind: Added, Experiment: id, Text: "not in " + base, Do: watch})
		}
	}
	return pairs, alone, nil
}

func (s Source) pair(base, new string) (p Pair, err error) {
	if p.Base, err = s.run(base); err == nil {
		p.New, err = s.run(new)
	}
	if err == nil && p.Base.Spec.Name != p.New.Spec.Name {
		err = misuse.Errorf("%s is a run of %s, %s of %s: only runs of one experiment can be compared", p.Base.Name, p.Base.Spec.Name, p.New.Name, p.New.Spec.Name)
	}
	return p, err
}

// find finds the folders of the runs that a name stands for, by experiment/profile; one says that
// it is the name of one run.
func (s Source) find(name string) (folders map[string]string, one bool, err error) {
	if folders, err = below(name); err != nil || len(folders) > 0 {
		return folders, slices.Contains(results.RunsBelow(name), name), err
	}
	dir, err := results.Latest(s.Root, name)
	if err != nil {
		return nil, false, misuse.Errorf("%q is not a run, an experiment with runs below %s, a reference, or a directory of these; references of another commit: git worktree add DIR COMMIT, and DIR/results/reference",
			name, s.Root)
	}
	folders, err = below(dir)
	return folders, true, err
}

// below are the folders of runs below a directory, the last started of each experiment and profile;
// where there are none, of its references.
func below(dir string) (map[string]string, error) {
	runs, references, started := map[string]string{}, map[string]string{}, map[string]string{}
	for _, run := range results.RunsBelow(dir) {
		head, err := results.Head(run)
		if err != nil {
			return nil, err
		}
		id := head.Spec.Name + "/" + head.Manifest.Profile
		if _, err := os.Lstat(filepath.Join(run, VerdictsFile)); err == nil {
			references[id] = run
		} else if runs[id] == "" || head.Manifest.Started > started[id] {
			started[id], runs[id] = head.Manifest.Started, run
		}
	}
	if len(runs) > 0 {
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
