package configs

import (
	"flag"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// What tests outside of the package use of it.

// Update is a flag.
var Update = flag.Bool("update", false, "rewrite the .want files in testdata/bad/*.txtar, the files of testdata/good and the tables of keys in docs/spec.md; read what changed")

// Golden compares a text with a file, or writes it there.
func Golden(t *testing.T, file, got string) {
	t.Helper()
	if *Update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// Options are parameters of every form.
type Options = options

// Defaults are those of Options.
func Defaults() Options { return defaults() }

// scale decodes from a word or a mapping.
type scale struct{ Sigma float64 }

func (s *scale) DecodeNode(n *Node, d *Decoder) {
	if n.Kind == Text {
		if word, ok := d.Text(n); ok && word != "unit" {
			d.Wrong(n, "unit or {sigma: number}")
		}
		s.Sigma = 1
		return
	}
	var m struct {
		Sigma float64 `yaml:"sigma" required:"true" above:"0"`
	}
	d.Decode(n, &m)
	s.Sigma = m.Sigma
}

type decay struct {
	Power float64 `yaml:"power" required:"true" above:"0"`
	Scale float64 `yaml:"scale"`
}

type options struct {
	Landmarks string             `yaml:"landmarks" enum:"uniform,first,leverage" doc:"How landmarks are chosen."`
	Ridge     float64            `yaml:"ridge" min:"0"`
	Steps     int                `yaml:"steps" min:"1" max:"100"`
	Small     int8               `yaml:"small"`
	Center    bool               `yaml:"center"`
	Decay     decay              `yaml:"decay"`
	Weights   []float64          `yaml:"weights" maxlen:"3" min:"0"`
	Names     map[string]float64 `yaml:"names"`
	Budget    time.Duration      `yaml:"budget"`
	Scale     scale              `yaml:"scale"`
	Rank      *Value             `yaml:"rank"`
}

func defaults() options {
	return options{Landmarks: "uniform", Ridge: 1e-8, Steps: 10, Center: true, Decay: decay{Power: 2, Scale: 3}, Weights: []float64{1, 2}}
}

// Worded has a mapping that one word can stand for.
type Worded struct {
	Rule Rule `yaml:"rule" doc:"How."`
}

// Rule is that mapping.
type Rule struct {
	_     struct{} `word:"name"`
	Name  string   `yaml:"name" enum:"uniform,leverage" doc:"Which."`
	Level float64  `yaml:"level" min:"0"`
}

// Combinations is the number of points of a grid before any is left out.
func Combinations(g Grid) float64 { return g.combinations() }
