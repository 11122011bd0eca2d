package compare

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"mercer/internal/claims"
	"mercer/internal/misuse"
	"mercer/results"
)

// Source finds the runs that names stand for.
type Source struct {
	Root       string // directory of all runs
	References string // directory of the references in a git revision
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
// a directory of such folders, or a git revision.
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
	return s.revision(name)
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

// revision are the references in a git revision.
func (s Source) revision(name string) (named, error) {
	many := named{name, map[string]opener{}}
	hash, err := git("rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err != nil {
		return many, misuse.Errorf("%q is not a run, an experiment with runs below %s, a reference, a directory of these, or a git revision", name, s.Root)
	}
	commit := strings.TrimSpace(string(hash))
	list, err := git("ls-tree", "-r", "--name-only", commit, "./"+filepath.ToSlash(s.References)+"/")
	if err != nil {
		return many, misuse.Mark(err)
	}
	files := strings.Fields(string(list))
	for _, file := range files {
		if dir, verdicts := path.Split(file); verdicts == VerdictsFile && slices.Contains(files, dir+results.ManifestFile) {
			many.open[path.Base(path.Dir(path.Clean(dir)))+"/"+path.Base(dir)] = func() (Side, error) { return committed(commit, name, path.Clean(dir)) }
		}
	}
	if len(many.open) == 0 {
		return many, misuse.Errorf("git revision %s has no references in %s", name, s.References)
	}
	return many, nil
}

// committed is the reference in a folder of a commit, which name stands for.
func committed(commit, name, dir string) (s Side, err error) {
	temporary, err := os.MkdirTemp("", "mercer-reference-*")
	if err != nil {
		return s, err
	}
	defer os.RemoveAll(temporary)
	for _, file := range []string{results.ManifestFile, results.SpecFile, results.PackedFile, VerdictsFile} {
		text, err := git("show", commit+":./"+path.Join(dir, file))
		if err == nil {
			err = os.WriteFile(filepath.Join(temporary, file), text, 0o666)
		}
		if err != nil {
			return s, err
		}
	}
	s, _, err = ReadReference(temporary, name+":"+dir)
	s.Manifest.Commit = commit
	return s, err
}

// git runs git in the working directory.
func git(args ...string) ([]byte, error) {
	out, err := exec.Command("git", args...).Output()
	if failed := new(exec.ExitError); errors.As(err, &failed) {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(string(failed.Stderr)))
	}
	return out, err
}
