package cmd

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mercer/internal/claims"
	"mercer/internal/compare"
	"mercer/results"
)

// operand is what BASE or NEW names: one run, or many by experiment/profile.
type operand struct {
	name string
	one  func() (compare.Side, error)
	many map[string]func() (compare.Side, error)
}

// pairs are the runs to compare, and what is said of those that have no other.
func (f *compareFlags) pairs(c *cobra.Command, base, new string) ([]compare.Pair, []compare.Finding, error) {
	b, err := f.operand(c, base)
	if err != nil {
		return nil, nil, err
	}
	n, err := f.operand(c, new)
	if err != nil {
		return nil, nil, err
	}
	if b.one == nil && n.one == nil {
		return pairMany(b, n)
	}
	var p compare.Pair
	if n.one != nil {
		if p.New, err = n.one(); err == nil {
			p.Base, err = b.of(p.New)
		}
	} else if p.Base, err = b.one(); err == nil {
		p.New, err = n.of(p.Base)
	}
	if err != nil {
		return nil, nil, err
	}
	if p.Base.Manifest.Experiment != p.New.Manifest.Experiment {
		return nil, nil, usage(fmt.Errorf("%s is a run of %s, %s of %s: only runs of one experiment can be compared",
			p.Base.Name, p.Base.Manifest.Experiment, p.New.Name, p.New.Manifest.Experiment))
	}
	return []compare.Pair{p}, nil, nil
}

// of is the operand's run that goes with another.
func (o operand) of(other compare.Side) (compare.Side, error) {
	if o.one != nil {
		return o.one()
	}
	id := other.Manifest.Experiment + "/" + other.Manifest.Profile
	open, ok := o.many[id]
	if !ok {
		return compare.Side{}, usage(fmt.Errorf("%s has no run of %s; it has %s; mercer export RUN --format reference makes a reference",
			o.name, id, strings.Join(slices.Sorted(maps.Keys(o.many)), ", ")))
	}
	return open()
}

func pairMany(b, n operand) ([]compare.Pair, []compare.Finding, error) {
	var pairs []compare.Pair
	var findings []compare.Finding
	for _, id := range slices.Sorted(maps.Keys(b.many)) {
		if n.many[id] == nil {
			findings = append(findings, compare.Finding{Severity: compare.Regression, Kind: compare.Dropped, Experiment: id,
				Text: "no run in " + n.name, Do: "run it, or delete its reference"})
			continue
		}
		var p compare.Pair
		var err error
		if p.Base, err = b.many[id](); err != nil {
			return nil, nil, err
		}
		if p.New, err = n.many[id](); err != nil {
			return nil, nil, err
		}
		pairs = append(pairs, p)
	}
	for _, id := range slices.Sorted(maps.Keys(n.many)) {
		if b.many[id] == nil {
			findings = append(findings, compare.Finding{Severity: compare.Note, Kind: compare.Added, Experiment: id,
				Text: "not in " + b.name, Do: "to watch it: make reference"})
		}
	}
	return pairs, findings, nil
}

// operand finds out what a name means.
func (f *compareFlags) operand(c *cobra.Command, name string) (operand, error) {
	o := operand{name: name}
	info, err := os.Stat(name)
	switch {
	case err == nil && !info.IsDir() && (filepath.Base(name) == results.RecordsFile || filepath.Base(name) == results.ManifestFile):
		o.one = func() (compare.Side, error) { return openSide(c, filepath.Dir(name)) }
		return o, nil
	case err == nil && !info.IsDir():
		o.one = func() (compare.Side, error) { return openReference(name) }
		return o, nil
	case err == nil && !isRun(name):
		if o.many, err = manyIn(c, name); err != nil || len(o.many) > 0 {
			return o, err
		}
	}
	if dir, err := results.Latest(f.root, name); err == nil {
		o.one = func() (compare.Side, error) { return openSide(c, dir) }
		return o, nil
	}
	if o.many, err = f.revision(name); err != nil {
		return o, usage(err)
	}
	return o, nil
}

func isRun(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, results.ManifestFile))
	return err == nil
}

// manyIn are the runs below a directory, the last started of each experiment and
// profile; where there are none, its references.
func manyIn(c *cobra.Command, dir string) (map[string]func() (compare.Side, error), error) {
	many, started := map[string]func() (compare.Side, error){}, map[string]string{}
	for _, run := range results.RunsBelow(dir) {
		m, err := results.ReadManifest(run)
		if err != nil {
			return nil, err
		}
		id := m.Experiment + "/" + m.Profile
		if at, ok := started[id]; !ok || m.Started > at {
			started[id] = m.Started
			many[id] = func() (compare.Side, error) { return openSide(c, run) }
		}
	}
	if len(many) > 0 {
		return many, nil
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
	for _, file := range files {
		many[referenceID(filepath.ToSlash(file))] = func() (compare.Side, error) { return openReference(file) }
	}
	return many, err
}

// referenceID is experiment/profile of …/experiment/profile.jsonl.
func referenceID(file string) string {
	return path.Base(path.Dir(file)) + "/" + strings.TrimSuffix(path.Base(file), path.Ext(file))
}

// revision are the references in a git revision.
func (f *compareFlags) revision(name string) (map[string]func() (compare.Side, error), error) {
	hash, err := git("rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("%q is not a run, an experiment with runs below %s, a reference, a directory of these, or a git revision", name, f.root)
	}
	commit := strings.TrimSpace(string(hash))
	dir := "./" + filepath.ToSlash(f.references)
	list, err := git("ls-tree", "-r", "--name-only", commit, dir+"/")
	if err != nil {
		return nil, err
	}
	many := map[string]func() (compare.Side, error){}
	for _, file := range strings.Fields(string(list)) {
		if path.Ext(file) != ".jsonl" {
			continue
		}
		many[referenceID(file)] = func() (compare.Side, error) {
			text, err := git("show", commit+":./"+file)
			if err != nil {
				return compare.Side{}, err
			}
			side, err := compare.ReadReference(bytes.NewReader(text), name+":"+file)
			side.Manifest.Commit = commit
			return side, err
		}
	}
	if len(many) == 0 {
		return nil, fmt.Errorf("git revision %s has no references in %s", name, f.references)
	}
	return many, nil
}

// git runs git in the working directory.
func git(args ...string) ([]byte, error) {
	out, err := exec.Command("git", args...).Output()
	if failed := new(exec.ExitError); errors.As(err, &failed) {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(string(failed.Stderr)))
	}
	return out, err
}

func openReference(file string) (compare.Side, error) {
	r, err := os.Open(file)
	if err != nil {
		return compare.Side{}, err
	}
	defer r.Close()
	return compare.ReadReference(r, filepath.ToSlash(file))
}

// openSide loads a run and judges its claims.
func openSide(c *cobra.Command, dir string) (compare.Side, error) {
	run, err := results.Load(dir)
	if err != nil {
		return compare.Side{}, err
	}
	for _, warning := range run.Warnings {
		fmt.Fprintln(c.ErrOrStderr(), "warning:", warning)
	}
	verdicts, err := judge(c, run)
	return sideOf(dir, run, verdicts), err
}

func sideOf(name string, run results.Run, verdicts []claims.Verdict) compare.Side {
	return compare.Side{Name: filepath.ToSlash(name), Manifest: run.Manifest, Records: run.Records, Verdicts: verdicts}
}
