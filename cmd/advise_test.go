package cmd

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// curve is a file of points near a curve, with a response and a class, and columns that are no
// coordinates.
func curve(rows int) string {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	fmt.Fprintln(&b, "x,y,z,one,price,kind")
	for range rows {
		t := 6 * rng.Float64()
		kind := "low"
		if math.Sin(t) > 0 {
			kind = "high"
		}
		fmt.Fprintf(&b, "%.6f,%.6f,%.6f,1,%.6f,%s\n", math.Cos(t)+0.1*rng.NormFloat64(), math.Sin(t)+0.1*rng.NormFloat64(), t, math.Sin(3*t)+0.1*rng.NormFloat64(), kind)
	}
	return b.String()
}

// advised is what mercer advise --json says.
type advised struct {
	Answers []struct {
		Target       string
		Fails, Holds *float64
		Open         bool
	}
	Advice struct {
		Points, Sample int
		Best           *struct {
			Method, Landmarks string
			Components        int
			Alpha             float64
		}
		Tied          []string
		Kernel, Gamma string
		Open          bool
	}
}

func advises(t *testing.T, args ...string) (a advised) {
	t.Helper()
	code, stdout, stderr := mercer(append([]string{"advise", "points.csv", "--quiet", "--json"}, args...)...)
	if err := json.Unmarshal([]byte(stdout), &a); code != exitOK || err != nil {
		t.Fatalf("exit code %d, %v: %s", code, err, stderr)
	}
	return a
}

// TestAdvise: each task has an advice, whose number is the upper end of the answer for its method,
// and the spec that --spec prints gives the same answers.
func TestAdvise(t *testing.T) {
	for name, args := range map[string]string{
		"kernel":   "--drop price,kind",
		"laplace":  "--drop price,kind --kernel laplace --tolerance 20% --sigma 4 --task spectral --raw",
		"pca":      "--drop price,kind --task pca --components 2 --sigma median",
		"cluster":  "--drop price,kind --task cluster --clusters 2 --tolerance 30% --sigma median",
		"regress":  "--response price",
		"classify": "--label kind --drop price --sigma 0.5 --ridge 1e-4 --tolerance 10%",
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("points.csv", []byte(curve(120)), 0o666); err != nil {
				t.Fatal(err)
			}
			flags := strings.Fields(args)
			a := advises(t, flags...)
			best := a.Advice.Best
			if a.Advice.Open || best == nil {
				t.Fatalf("no advice: %+v", a)
			}
			for _, answer := range a.Answers {
				if answer.Target == best.Method && (answer.Holds == nil || int(*answer.Holds) != best.Components) {
					t.Errorf("advice %+v, answer %+v", best, answer)
				}
			}
			want := map[string]string{"laplace": "laplacian 0.25", "classify": "rbf 2"}[name]
			if got := a.Advice.Kernel + " " + a.Advice.Gamma; want != "" && got != want {
				t.Errorf("kernel %s, want %s", got, want)
			}
			if name == "classify" && math.Abs(best.Alpha-1e-4*96) > 1e-12 { // ridge·n of the training part
				t.Errorf("alpha %g", best.Alpha)
			}

			if name == "laplace" || name == "cluster" { // which take longest
				return
			}
			code, spec, stderr := mercer(append([]string{"advise", "points.csv", "--spec", "--quiet"}, flags...)...)
			if err := os.WriteFile("own.yaml", []byte(spec), 0o666); code != exitOK || err != nil {
				t.Fatalf("exit code %d, %v: %s", code, err, stderr)
			}
			code, stdout, stderr := mercer("run", "own.yaml", "--quiet", "--isolate", "none", "--json")
			var own advised
			if err := json.Unmarshal([]byte(stdout), &own); code != exitOK || err != nil {
				t.Fatalf("exit code %d, %v: %s", code, err, stderr)
			}
			for i, answer := range a.Answers {
				if fmt.Sprint(number(answer.Fails), number(answer.Holds)) != fmt.Sprint(number(own.Answers[i].Fails), number(own.Answers[i].Holds)) {
					t.Errorf("%+v by advise, %+v by its spec", answer, own.Answers[i])
				}
			}
		})
	}
}

func number(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}
