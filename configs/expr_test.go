package configs

import (
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// compileOver compiles an expression over names.
func compileOver(text string, names ...string) (Value, error) {
	v := newValue(&Node{Text: text, Pos: Pos{"x.yaml", 3, 5}}, Number, nil)
	return v, v.Check(names)
}

// condition compiles a condition.
func condition(text string) (Filter, error) {
	f := newValue(&Node{Text: text}, Bool, nil)
	return f, f.Err()
}

func TestEval(t *testing.T) {
	env := map[string]float64{"n": 1000, "theta": 0.5, "alpha": 2, "one": 1}
	for text, want := range map[string]float64{
		"250": 250, "1e3": 1000, "-.5": -0.5, "1/2": 0.5, "7/2*2": 7, "one/3": 1.0 / 3,
		"2^10": 1024, "2**3": 8, "2^3^2": 512, "-2^2": -4, "2^-1": 0.5, "n^(theta/alpha)": math.Pow(1000, 0.25),
		"ceil(n^(theta/alpha))": 6, "floor(7/2)": 3, "round(2.5)": 3, "round(-2.5)": -3,
		"log(exp(1))": 1, "log2(8)": 3, "sqrt(2)": math.Sqrt2, "abs(-3)": 3,
		"min(n, 3)": 3, "max(1, 2, 3)": 3, "min(n)": 1000, "min(n, ceil(n^theta * log(n)))": 219,
		"n > 500 ? 1 : 2": 1, "not (n > 500) and one == 1 ? 1 : 2": 2, "not n > 500 ? 1 : 2": 2, "n - 1 - 1": 998, "8/2/2": 2, "(-2)^2": 4,
		"true or n > 1/0 ? 1 : 2": 1, "n in [5, 1000] ? 1 : 2": 1, "5. + .5": 5.5,
		"0 * -1": 0, "9007199254740993": 9007199254740992,
		"-theta*(1-1/alpha)": -0.25,
	} {
		e, err := compileOver(text, "n", "theta", "alpha", "one")
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got, err := e.Eval(env)
		if err != nil || got != want {
			t.Errorf("%s = %v, error %v; want %v", text, got, err, want)
		}
		if math.Signbit(got) && got == 0 {
			t.Errorf("%s is a negative zero", text)
		}
	}
}

func TestEvalErrors(t *testing.T) {
	for text, want := range map[string]string{
		"n/zero":         `5 / 0 is +Inf at n = 5, zero = 0`,
		"min(n, 1/zero)": `1 / 0 is +Inf at n = 5, zero = 0`,
		"zero/zero":      `0 / 0 is NaN at zero = 0`,
		"log(zero)":      `log(0) is -Inf at zero = 0`,
		"sqrt(-n)":       `sqrt(-5) is NaN at n = 5`,
		"(-n)^0.5":       `-5 ^ 0.5 is NaN at n = 5`,
		"zero^-1":        `0 ^ -1 is +Inf at zero = 0`,
		"exp(200*n)":     `exp(1000) is +Inf at n = 5`,
		"1e308*10*n":     `1e+308 * 10 is +Inf at n = 5`,
		"missing":        `unknown name "missing"; known: n, zero`,
	} {
		e, err := compileOver(text, "n", "zero", "missing")
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got, err := e.Eval(map[string]float64{"n": 5, "zero": 0})
		if err == nil {
			t.Errorf("%s = %v, want an error", text, got)
		} else if diff := cmp.Diff("x.yaml:3:5: expression \""+text+"\": "+want, err.Error()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestCompileErrors(t *testing.T) {
	for text, want := range map[string]string{
		"alhpa + n":              `unknown name "alhpa"; did you mean "alpha"?`,
		"q + 1":                  `unknown name "q"; known: alpha, n`,
		"n > 1":                  "needs a number, found a condition",
		"n + (n > 1)":            "+ needs a number, found a condition",
		"n ? 1 : 2":              "? needs a condition, found a number",
		"n > 1 ? 1 : n > 2":      ": needs a number, found a condition",
		"not n":                  "not needs a condition, found a number",
		"n % 2":                  `unexpected "%": write 10 % as 0.1`,
		"n // 2":                 `unexpected "/" at character 4`,
		"n /* 2 */":              `unexpected "*" at character 4`,
		"1..n":                   `unexpected "." at character 3`,
		"now()":                  `unknown function "now"`,
		"ceil":                   "ceil is a function; write ceil(...)",
		"ceil()":                 "ceil needs 1 argument, found 0",
		"ceil(n, 2)":             "ceil needs 1 argument, found 2",
		"min()":                  "min needs 1 argument, found 0",
		"min([1, 2])":            `unexpected "["`,
		"let x = n; x":           `unknown name "let"`,
		"n.x":                    `unexpected "."`,
		"$env":                   `unexpected "$"`,
		"(n":                     "it ends too early",
		"":                       "it ends too early",
		"1e400":                  `unexpected "1e400"`,
		"010":                    `unexpected "010"`,
		`"text"`:                 "needs a number, found a text",
		"α + n":                  `unexpected "α" at character 1`,
		strings.Repeat("(", 600): "has more than 500 characters",
	} {
		_, err := compileOver(text, "n", "alpha")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives error %v, want one with %q", text, err, want)
		}
	}
}

func TestEvalBool(t *testing.T) {
	for text, want := range map[string]bool{
		"m > n": false, "m <= n and n in [60, 120]": true, "not (m > n)": true, "true": true,
		"m == 20 or n/0 > 1": true, "m/n == 1/3": true,
	} {
		e, err := condition(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, err := e.Match(Numbers(map[string]float64{"n": 60, "m": 20})); got != want || err != nil {
			t.Errorf("%s is %v, error %v; want %v", text, got, err, want)
		}
	}
	if _, err := condition("m + n"); err == nil {
		t.Error("a number passes as a condition")
	}
}

func TestNames(t *testing.T) {
	got := Value{Text: "min(n, ceil(n^theta * log(n))) - alpha"}.Names()
	if diff := cmp.Diff([]string{"alpha", "n", "theta"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestFilter(t *testing.T) {
	types := map[string]Kind{"n": Number, "dataset": Text, "method": Text}
	env := Env{"n": NumberOf(500), "dataset": TextOf("poly2"), "method": TextOf("rff")}
	for text, want := range map[string]bool{
		`dataset == "poly2" && n <= 1000`:  true,
		`method in ["nystrom", "rff"]`:     true,
		`not method in ["nystrom", "rff"]`: false,
		`dataset != "po" and not (n > 3)`:  false,
		`n in [1, 2] || 'rff' == method`:   true,
		`true and n/2 == 250`:              true,
		`dataset == "http://x"`:            false,
		`n in [500]`:                       true,
	} {
		f, err := CompileFilter(text, types)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got, err := f.Match(env); got != want || err != nil {
			t.Errorf("%s is %v, error %v; want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		`datset == "x"`:          `unknown name "datset"; did you mean "dataset"?`,
		`n == "x"`:               "== needs a number, found a text",
		`dataset`:                "needs a condition, found a text",
		`dataset matches "(a+)"`: `unexpected "matches"`,
	} {
		if _, err := CompileFilter(text, types); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives error %v, want one with %q", text, err, want)
		}
	}
	f, err := CompileFilter("n/0 > 1", types)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Match(env); err == nil {
		t.Error("a division by zero passes")
	}
	if _, err := f.Match(Env{}); err == nil {
		t.Error("a missing name passes")
	}
}

// An Expression serves several goroutines; run with -race to see it.
func TestExpressionIsShared(t *testing.T) {
	e, err := compileOver("ceil(n/3) + min(n, 7)", "n")
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for k := range 200 {
				n := float64(i*1000 + k + 10)
				if got, err := e.Eval(map[string]float64{"n": n}); err != nil || got != math.Ceil(n/3)+7 {
					t.Errorf("at n = %v: %v, error %v", n, got, err)
				}
			}
		})
	}
	group.Wait()
}

// FuzzExpression: any text compiles or gives an error; what compiles has a
// finite value or gives an error, twice the same.
func FuzzExpression(f *testing.F) {
	for _, text := range []string{
		"250", "1/2", "ceil(n^(theta/alpha))", "min(n, ceil(n^theta * log(n)))", "-theta*(1-1/alpha)",
		"n > 500 ? 1 : 2", "not (n > 1) and n in [1, 2]", "recon_h / recon_h_floor", "2^3^2", "n // 2", "max(1, 2, 3)",
		`dataset == "poly2" && n <= 1000`, "all([n], # > 1)", "let x = n; x", "a?.b", "1..n", "0x1F", "1_000", "n | ceil()",
	} {
		f.Add(text)
	}
	names := []string{"n", "theta", "alpha"}
	env := map[string]float64{"n": 10, "theta": 0.5, "alpha": 2}
	f.Fuzz(func(t *testing.T, text string) {
		if e, err := compileOver(text, names...); err == nil {
			x, err := e.Eval(env)
			if err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
				t.Errorf("%q is %v", text, x)
			}
			if y, again := e.Eval(env); x != y || (err == nil) != (again == nil) {
				t.Errorf("%q is %v (%v), then %v (%v)", text, x, err, y, again)
			}
		}
		if e, err := condition(text); err == nil {
			_, _ = e.Match(Numbers(env))
		}
		if filter, err := CompileFilter(text, map[string]Kind{"n": Number, "dataset": Text}); err == nil {
			_, _ = filter.Match(Env{"n": NumberOf(10), "dataset": TextOf("poly2")})
		}
	})
}
