package configs_test

import (
	"slices"
	"testing"

	. "mercer/configs"
	"mercer/configs/source"
)

// solver is optional as a whole.
type solver struct {
	Restarts int     `yaml:"restarts" min:"1"`
	Tol      float64 `yaml:"tol"`
}

func (s *solver) SetDefaults() { *s = solver{Restarts: 3, Tol: 0.5} }

// TestOptionalBlocksHaveDefaults: absent, the block is nil; given, what it leaves
// out has its default, and zero is a value.
func TestOptionalBlocksHaveDefaults(t *testing.T) {
	type options struct {
		Solver *solver `yaml:"solver"`
	}
	for text, want := range map[string]solver{
		"solver: {}":                    {3, 0.5},
		"solver: {tol: 0}":              {3, 0},
		"solver: {restarts: 7, tol: 1}": {7, 1},
	} {
		p, err := source.Params("method", "x", text)
		if err != nil {
			t.Fatal(err)
		}
		got := options{}
		if _, err := p.Bind(&got, nil); err != nil || got.Solver == nil || *got.Solver != want {
			t.Errorf("%s: %+v, %v, want %+v", text, got.Solver, err, want)
		}
	}
	absent := options{}
	if _, err := (Params{}).Bind(&absent, nil); err != nil || absent.Solver != nil {
		t.Errorf("absent: %+v, %v, want nil", absent.Solver, err)
	}
	bad, err := source.Params("method", "x", "solver: {restart: 1}")
	if err != nil {
		t.Fatal(err)
	}
	const misspelt = `1:10: unknown key "restart" in "solver" of method "x"; did you mean "restarts"?`
	if _, err := bad.Bind(&absent, nil); err == nil || err.Error() != misspelt {
		t.Errorf("error %v, want %s", err, misspelt)
	}
	lines := Describe(&options{})
	if want := []string{"solver: a mapping", "solver.restarts: a whole number, at least 1, default 3", "solver.tol: a number, default 0.5"}; !slices.Equal(lines, want) {
		t.Errorf("described as %q, want %q", lines, want)
	}
}
