package plan

import (
	"testing"

	"mercer/configs/source"
	"mercer/experiments"
)

// FuzzResolve: any spec is refused or resolved, parameters of data sets, kernels and
// methods included, and what is refused names a place. No file is opened.
func FuzzResolve(f *testing.F) {
	for _, name := range experiments.Names() {
		text, _ := experiments.Text(name)
		f.Add(string(text))
	}
	for _, text := range []string{keysSpec, unitsSpec, timedSpec} {
		f.Add(text)
	}
	f.Add("name: x\nseed: 1\nrepeats: 1\ndatasets: [{id: x, use: csv, path: ../x.csv}]\nkernels: [{id: k, use: gaussian, sigma: 1, form: sigma-squared}]\ngrid: {n: [3], ell: 1}\nmethods: [{id: e, use: exec, command: [\"../p\"], model: subspace}]\nmeasure: [time]")
	f.Fuzz(func(t *testing.T, text string) {
		spec, err := source.Parse("f.yaml", []byte(text))
		if err != nil {
			return
		}
		if _, err := Resolve(spec); err != nil && err.Error() == "" {
			t.Error("an error without words")
		}
	})
}
