package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/experiments"
	"mercer/runner/plan"
)

// specFile is a spec with where it came from.
type specFile struct {
	spec *configs.Spec // as written
	text []byte
	dir  string // that relative paths start from
	name string // as the user called it
	file string // as errors call it
}

// readSpec reads a spec by file name, or by the name of an experiment that comes
// with the program. A file wins. The name - is standard input, unless this is nil.
func readSpec(name string, stdin io.Reader) (specFile, error) {
	s := specFile{name: name, dir: filepath.Dir(name)}
	text, err := source.File(name)
	if name == "-" && stdin != nil {
		text, err = source.All(stdin)
	}
	s.file = name
	info, statErr := os.Stat(name)
	directory := statErr == nil && info.IsDir()
	switch {
	case err == nil:
	case !errors.Is(err, fs.ErrNotExist) && !directory || strings.ContainsAny(name, `/\`) || filepath.Ext(name) != "":
		return s, usage(fmt.Errorf("spec: %w", err))
	default:
		var ok bool
		if text, ok = experiments.Text(name); !ok {
			return s, usage(errors.New(configs.Unknown("experiment", name, "", experiments.Names()) + "; a spec of your own is named by its file, such as my.yaml"))
		}
		s.file, s.dir = "experiments/"+name+".yaml", "."
	}
	s.text = text
	spec, err := source.Parse(s.file, text)
	if err == nil {
		s.spec = spec
		return s, nil
	}
	var problems configs.Problems
	problems.Add(err)
	if spec != nil {
		_, more := plan.Check(context.Background(), spec, s.dir)
		problems.Add(more)
	}
	return s, problems.Err()
}
