package configs

import (
	"io"
	"os"

	"gopkg.in/yaml.v3"
)

// ReadFile reads one byte more than Parse accepts, so that a wrong file of any size
// costs no memory.
func ReadFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxBytes+1))
}

// Parse decodes and checks a spec; file names it in errors. What it cannot
// check is what other packages own: the `use` names and their parameters, the
// names of measures and metrics, and the constants of datasets (see
// CheckNames). The error is a Problems with every mistake of the text.
func Parse(file string, text []byte) (*Spec, error) {
	s, err := Read(file, text)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Read is Parse, and where a spec has mistakes returns what of it is sound beside
// the error, so that the other packages' mistakes can be found in the same go. That
// is nil where the text could not be read at all.
func Read(file string, text []byte) (*Spec, error) {
	s := &Spec{}
	root, d := decodeFile(file, text, s)
	if root == nil || len(d.problems) >= maxProblems {
		return nil, d.problems.Err()
	}
	for i := range s.Claims {
		s.Claims[i].setDefaults()
	}
	for i := range s.Checks {
		s.Checks[i].Check = true
		s.Checks[i].setDefaults()
	}
	s.findOnTargets()
	for i := range s.Plots {
		s.Plots[i].setDefaults()
	}
	sections := map[string]*yaml.Node{}
	for key, value := range pairs(root) {
		sections[key.Value] = value
	}
	s.validate(d, sections)
	if len(d.problems) > 0 {
		s.prune(d, sections)
	}
	return s, d.problems.Err()
}
