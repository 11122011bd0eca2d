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
	"mercer/methods"
	"mercer/methods/exec"
	"mercer/results"
	"mercer/runner/plan"
)

func newInit() *cobra.Command {
	var request templates.Request
	var program, language string
	var compare []string
	languages := slices.Sorted(maps.Keys(exec.Helpers))
	c := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write a commented spec of your own, ready to run",
		Long: `Write a commented spec that is valid and ends with a figure: it compares methods on the
points of a CSV file, or with a program of yours. With --response they predict numbers, with
--label classes, and else they are methods of kernel PCA; --compare names others, also of
kernel k-means. Columns that are no coordinates are left out. FILE is a new YAML file, by
default named by the data or the program, which must lie in its directory or below it. For
another start: mercer show EXPERIMENT > my.yaml`,
		Example: `  mercer init --csv houses.csv --response price
  mercer init --csv iris.csv --label species --compare krr,rff-krr
  mercer init --csv points.csv --compare kernel-kmeans,nystrom-embedding
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
			if err := compared(&request, compare); err != nil {
				return usage(err)
			}
			file, err := writeSpec(c, &request, program, append(args, "")[0])
			if err != nil {
				return usage(err)
			}
			written := fmt.Sprintf("%s: written\nnext: mercer run %s --profile smoke   (seconds), then mercer run %s\n", file, file, file)
			return say(c, strings.Join(append(request.Left, written), "\n"))
		},
	}
	c.Flags().StringVar(&request.CSV, "csv", "", "compare methods on the points of this CSV file")
	c.Flags().StringVar(&request.Response, "response", "", "column of the numbers to predict: its name, or its index from 0 (negative: from the end)")
	c.Flags().StringVar(&request.Label, "label", "", "column of the classes, to predict unless --compare names other methods: its name or index")
	c.Flags().StringSliceVar(&request.Drop, "drop", nil, "columns that are no coordinates: names or indices")
	c.Flags().StringSliceVar(&compare, "compare", nil, "methods to compare, such as krr,nystrom-krr (mercer list --methods)")
	c.Flags().StringVar(&program, "program", "", "compare this program with mercer's methods")
	c.Flags().StringVar(&language, "exec", "", "print the file that turns a function of this language into a method: py or R")
	complete(c, "exec", languages)
	return c
}

// interpreters run the programs of some names; others run by themselves.
var interpreters = map[string]string{".py": "python3", ".sh": "sh", ".R": "Rscript", ".jl": "julia"}

// kinds are what models of some shapes are for.
var kinds = map[string]string{
	methods.ShapeSubspace: templates.Components, methods.ShapeFeatures: templates.Components,
	methods.ShapeEmbedding: templates.Clusters, methods.ShapeSketch: templates.Clusters,
	methods.ShapeGaussian: templates.Clusters, methods.ShapeClustering: templates.Clusters,
	methods.ShapeRegression: templates.Regression,
}

// compared adds the methods of these names to a request, and the sizes that they depend on.
func compared(r *templates.Request, names []string) error {
	r.Kind, r.Sizes = templates.Components, []string{"m", "ell"}
	if r.Response+r.Label != "" {
		r.Kind, r.Sizes = templates.Regression, []string{"m"}
	}
	for i, name := range names {
		entry, known := methods.Registry[name]
		if !known {
			return errors.New("--compare: " + configs.Unknown("method", name, "", slices.Sorted(maps.Keys(methods.Registry))))
		}
		keys, traits := fmt.Sprintf("id: %s, use: %[1]s", name), entry.New().Traits()
		if entry.Plain != "" {
			keys += ", " + entry.Plain
		}
		kind := kinds[traits.Shape]
		if kind == templates.Clusters {
			traits.Uses = append(traits.Uses, "k")
			if traits.Cut == methods.CutBySize {
				keys += ", rank: full" // a d would cap what m gives
				traits.Uses = slices.DeleteFunc(traits.Uses, func(size string) bool { return size == "d" })
			}
			if traits.Shape == methods.ShapeClustering {
				keys += ", restarts: 10"
			} else {
				keys += ", kmeans: {restarts: 10}"
			}
		}
		if i == 0 {
			r.Kind, r.Sizes = kind, nil
		}
		switch {
		case kind == "" || name == "exec":
			return fmt.Errorf("--compare: %s is not compared by init: add it to the spec, or name a program by --program", name)
		case kind != r.Kind:
			return fmt.Errorf("--compare: %s is for %s, and %s for %s: compare methods of one kind", names[0], r.Kind, name, kind)
		case kind == templates.Regression && r.Response+r.Label == "":
			return fmt.Errorf("--compare: %s predicts: name the column, --response price or --label kind", name)
		case kind != templates.Regression && r.Response != "":
			return fmt.Errorf("--compare: %s is for %s; --response is for regression: krr, nystrom-krr, rff-krr", name, kind)
		}
		r.Methods, r.Sizes = append(r.Methods, keys), append(r.Sizes, traits.Uses...)
	}
	if r.CSV == "" && r.Kind == templates.Regression {
		return errors.New("--response and --label are columns of a file: name it, --csv data.csv")
	}
	return nil
}

// writeSpec writes the spec of a request to a new file, whose name it gives as a shell takes it.
func writeSpec(c *cobra.Command, r *templates.Request, program, file string) (string, error) {
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
		path := r.CSV
		if r.CSV, err = below(file, path); err == nil {
			err = r.Look(c.Context(), path)
		}
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
