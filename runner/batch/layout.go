package batch

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"

	"mercer/internal/misuse"
	"mercer/runner/plan"
)

// Files of a submitted run, below its folder [Folder].
const (
	Folder     = "batch"
	FrozenFile = "plan.json"
	JobsFile   = "jobs.json"
	LogFolder  = "logs"
	Binary     = "mercer"
)

// Layout is where a submitted run keeps its files, and what its jobs compute.
type Layout struct {
	Dir        string // absolute, without links
	Frozen     plan.Frozen
	Experiment string
}

// InRounds says that the run's repeats are submitted in rounds, until verdicts are decided.
func (l Layout) InRounds() bool { return l.Frozen.Input.Due != nil }

// Path is that of one of the run's files.
func (l Layout) Path(name string) string { return filepath.Join(l.Dir, Folder, name) }

// shardDir is where a shard of the run in dir keeps its records.
func shardDir(dir string, index int) string {
	return filepath.Join(dir, Folder, "shards", fmt.Sprintf("%04d", index))
}

// Name is that of the plan's jobs: two submits of one plan find one another.
func (l Layout) Name() string {
	name := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_.", c) {
			return c
		}
		return '_'
	}, l.Experiment)
	return "mercer-" + name + "-" + l.Frozen.Digest[:12]
}

// realDir is a folder's one name, by which its jobs are known.
func realDir(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if strings.ContainsFunc(dir, unicode.IsControl) {
		return "", misuse.Errorf("the run folder %q has a control character, such as a line feed, in its name, by which squeue lists its jobs: choose another with --out", dir)
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real, nil
	}
	return dir, nil // not there yet
}
