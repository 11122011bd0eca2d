package cmd

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mercer/configs"
	"mercer/configs/source"
	"mercer/experiments/templates"
	"mercer/internal/plain"
	"mercer/methods/exec"
	"mercer/results"
	"mercer/runner/plan"
)

func newInit() *cobra.Command {
	var request templates.Request
	var program, language string
	languages := slices.Sorted(maps.Keys(exec.Helpers))
	c := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write a commented spec of your own, ready to run",
		Long: `Write a commented spec that is valid and ends with a figure: it compares methods of kernel
PCA on a CSV file, or with a program of yours. FILE is a new YAML file, by default named by
the data or the program, which must lie in its directory or below it. For another start:
mercer show EXPERIMENT > my.yaml`,
		Example: `  mercer init --csv iris.csv --label species
  mercer init --program method.py
  mercer init --exec py > mercer.py   makes a Python function a method (docs/exec.md); also R`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if language != "" {
				helper, known := exec.Helpers[language]
				if !known {
					return usage(errors.New("--exec: " + configs.Unknown("language", language, "", languages)))
				}
				return say(c, helper)
			}
			file, err := writeSpec(c, request, program, append(args, "")[0])
			if err != nil {
				return usage(err)
			}
			return say(c, fmt.Sprintf("%s: written\nnext: mercer run %s --profile smoke   (seconds), then mercer run %s\n", file, file, file))
		},
	}
	c.Flags().StringVar(&request.CSV, "csv", "", "compare methods on the points of this CSV file")
	c.Flags().StringVar(&request.Label, "label", "", "column of the classes in the CSV file: its name, or its index from 0 (negative: from the end)")
	c.Flags().StringVar(&program, "program", "", "compare this program with mercer's methods")
	c.Flags().StringVar(&language, "exec", "", "print the file that turns a function of this language into a method: py or R")
	complete(c, "exec", languages)
	return c
}

// interpreters run the programs of some names; others run by themselves.
var interpreters = map[string]string{".py": "python3", ".sh": "sh", ".R": "Rscript", ".jl": "julia"}

// writeSpec writes the spec of a request to a new file, whose name it gives as a shell takes it.
func writeSpec(c *cobra.Command, r templates.Request, program, file string) (string, error) {
	subject := cmp.Or(program, r.CSV)
	if subject == "" {
		return "", errors.New("say what the spec is about: --csv data.csv or --program method.py")
	}
	file = cmp.Or(file, strings.TrimSuffix(subject, filepath.Ext(subject))+".yaml")
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s is there already; name another file: mercer init FILE", file)
	}

	var err error
	if program != "" {
		relative, wrong := below(file, program)
		r.Command, err = slices.DeleteFunc([]string{interpreters[filepath.Ext(program)], "{dir}/" + relative}, func(word string) bool { return word == "" }), wrong
	}
	if r.CSV != "" && err == nil {
		r.CSV, err = below(file, r.CSV)
	}
	if err != nil {
		return "", err
	}
	r.Name = cmp.Or(templates.NameOf(file), "my-experiment")
	text, err := r.Spec()
	if err != nil {
		return "", err
	}
	spec, err := source.Parse(file, []byte(text))
	if err == nil {
		_, err = plan.CheckProfiles(c.Context(), spec, filepath.Dir(file), nil)
	}
	if err != nil {
		return "", fmt.Errorf("no spec is written, since it would be wrong:\n%w", err)
	}
	return plain.Quote(filepath.ToSlash(file)), results.WriteAtomic(file, []byte(text))
}

// below is the path of a file relative to the directory of a spec, which has it or a
// directory below.
func below(spec, file string) (string, error) {
	if _, err := os.Stat(file); err != nil {
		return "", err
	}
	relative, err := filepath.Rel(filepath.Dir(spec), file)
	if err != nil || !filepath.IsLocal(relative) {
		return "", fmt.Errorf("%s does not lie in the directory of %s or below it; write the spec beside it", file, spec)
	}
	return filepath.ToSlash(relative), nil
}
