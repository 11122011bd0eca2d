package landmark

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Options say how landmarks are picked. In a spec a word alone is the rule:
// landmarks: uniform.
type Options struct {
	_    struct{} `word:"rule"`
	Rule string   `yaml:"rule" enum:"uniform,first,leverage,recursive,bless,rpcholesky,block-rpcholesky,greedy,kmeans++" doc:"uniform, first (the first m points), leverage (exact ridge leverage scores), recursive or bless (approximate ones), rpcholesky (randomly pivoted Cholesky), block-rpcholesky (the same in blocks, with another law), greedy (greedily pivoted Cholesky), kmeans++ (D² sampling in H)"`
	// Level is the t of leverage scores. The level 0, which no leverage score
	// has, stands for one that depends on m.
	Level       float64  `yaml:"level" min:"0" doc:"t of the ridge leverage scores [K(K + nt I)⁻¹]_ii, for leverage, recursive and bless; 0 (default) matches m: the effective dimension is m (leverage), between m/4 and m/2 (bless) or at most m/(2·log m) (recursive)"`
	Replacement bool     `yaml:"replacement" doc:"draw with replacement, for uniform, leverage, recursive and bless; a point drawn twice is one landmark"`
	Block       int      `yaml:"block" json:",omitzero" min:"0" max:"10000" doc:"block-rpcholesky: points proposed at once; 0 (default) stands for 100"`
	File        *File    `yaml:"file" json:",omitzero" doc:"in place of a rule: a file with the rows of the sample that are landmarks, from 0, the first m of them"`
	Exec        *Program `yaml:"exec" json:",omitzero" doc:"in place of a rule: the command of a program that names landmarks (docs/exec.md), or {command: …} with its options"`
}

// DefaultOptions are uniform landmarks.
func DefaultOptions() Options { return By("uniform") }

// By are the default options of a rule.
func By(rule string) Options { return Options{Rule: rule} }

// Entry is that of the rule, or of what takes its place, with its name; of no rule its name is
// empty.
func (o Options) Entry() (name string, e Entry) {
	switch e, known := Registry[o.Rule]; {
	case o.File != nil:
		return "file", fromFile
	case o.Exec != nil:
		return "exec", fromProgram
	case known:
		return o.Rule, e
	}
	return "", Entry{}
}

// Check says what is wrong with the parameters: an unknown rule, a value out of
// range, or one that the rule has no use for.
func (o Options) Check() error {
	name, entry := o.Entry()
	if name == "" {
		return fmt.Errorf("landmarks %q: must be one of %s", o.Rule, strings.Join(Names(), ", "))
	}
	var wrong []error
	if name != o.Rule && o.Rule != "uniform" || o.File != nil && o.Exec != nil {
		return errors.New("landmarks: give one of rule, file and exec")
	}
	if o.Exec != nil {
		wrong = append(wrong, o.Exec.Check())
	}
	unused := func(param string, given bool) {
		if given && !slices.Contains(entry.Params, param) {
			wrong = append(wrong, fmt.Errorf("landmarks: %s has no use for %s", name, param))
		}
	}
	unused("level", o.Level != 0)
	unused("replacement", o.Replacement)
	unused("block", o.Block != 0)
	if !(o.Level >= 0) || math.IsInf(o.Level, 1) {
		wrong = append(wrong, fmt.Errorf("landmarks: level %v: must be positive, or 0 to match m", o.Level))
	}
	if o.Block < 0 {
		wrong = append(wrong, fmt.Errorf("landmarks: block %d: must be at least 1, or 0 for %d", o.Block, defaultBlock))
	}
	return errors.Join(wrong...)
}

// CheckCounts says why the rule cannot pick among points that stand for several; nil
// where it can. The options must have passed Check.
func (o Options) CheckCounts() error {
	if name, entry := o.Entry(); entry.NoCounts != "" {
		return fmt.Errorf("landmarks: %s: %s", name, entry.NoCounts)
	}
	return nil
}

// CheckSizes says why the rule cannot pick m of n points; nil where it can. The
// options must have passed Check.
func (o Options) CheckSizes(n, m int) error {
	name, entry := o.Entry()
	switch {
	case o.File != nil && m > len(o.File.indices):
		return fmt.Errorf("m = %d landmarks, and the file names %d", m, len(o.File.indices))
	case m < 1:
		return fmt.Errorf("m = %d landmarks", m)
	case m > n:
		return fmt.Errorf("m = %d landmarks out of n = %d points", m, n)
	case entry.Most > 0 && n > entry.Most:
		return fmt.Errorf("landmarks: %s decomposes the n×n kernel matrix, and n = %d is above %d; take %s", name, n, entry.Most, entry.Instead)
	}
	return nil
}
