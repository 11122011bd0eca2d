package kernel

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
)

func ptr[T any](v T) *T { return &v }

var algebraParts = []Part{{&RationalQuadraticOptions{Alpha: 0.7, Width: Width{Sigma: ptr(0.9)}}}, {&PolynomialOptions{Degree: 2, Gamma: 0.5, Offset: 1}}}

// formed are options of every kernel of the registry, in every form it has.
var formed = map[string][]Options{
	"gaussian":           {&GaussianOptions{Width: Width{Sigma: ptr(1.3)}, Form: "two-sigma-squared"}, &GaussianOptions{Width: Width{Sigma: ptr(1.3)}, Form: "sigma-squared"}},
	"laplace":            {&LaplaceOptions{Width: Width{Sigma: ptr(0.8)}}},
	"matern":             {&MaternOptions{Nu: "1/2", Width: Width{Sigma: ptr(0.7)}}, &MaternOptions{Nu: "3/2", Width: Width{Sigma: ptr(0.7)}}, &MaternOptions{Nu: "5/2", Width: Width{Sigma: ptr(0.7)}}},
	"cauchy":             {&CauchyOptions{Width: Width{Sigma: ptr(0.9)}}},
	"rational-quadratic": {&RationalQuadraticOptions{Alpha: 0.7, Width: Width{Sigma: ptr(0.9)}}},
	"polynomial":         {&PolynomialOptions{Degree: 3, Gamma: 0.5, Offset: 0.25}, &PolynomialOptions{Degree: 1, Gamma: 1, Offset: 0.5}},
	"chi2":               {&Chi2Options{Gamma: 0.7}}, "intersection": {&IntersectionOptions{}},
	"arc-cosine": {&ArcCosineOptions{Order: 0, Depth: 1}, &ArcCosineOptions{Order: 1, Depth: 1}, &ArcCosineOptions{Order: 1, Depth: 3}},
	"ntk":        {&NTKOptions{Depth: 1}, &NTKOptions{Depth: 3}},
	"periodic":   {&PeriodicOptions{Period: 1.7, Sigma: 0.9}}, "cosine": {&CosineOptions{}},
	"sum":     {&SumOptions{Of: algebraParts}},
	"product": {&ProductOptions{SumOptions{algebraParts}}, &ProductOptions{SumOptions{algebraParts[:1]}}},
	"scale":   {&ScaleOptions{Factor: 2.5, Of: algebraParts[0]}},
	"power":   {&PowerOptions{Exponent: 3, Of: algebraParts[1]}}, "normalise": {&NormaliseOptions{Of: algebraParts[1]}},
	"linear": {&LinearOptions{}},
	"series": {
		&SeriesOptions{Decay: &Decay{Power: ptr(2.0)}}, &SeriesOptions{Decay: &Decay{Exponential: ptr(0.6)}},
		&SeriesOptions{Eigenvalues: []float64{1, 0.5}}, &SeriesOptions{Decay: &Decay{Power: ptr(1.5)}, Terms: ptr(30)},
	},
}

// valueOf computes a kernel from its form alone, as docs/exec.md describes it.
func valueOf(t *testing.T, form map[string]any, x, y []float64) float64 {
	t.Helper()
	number := func(name string) float64 {
		v, ok := form[name].(float64)
		if !ok {
			t.Fatalf("the form %v has no %s", form, name)
		}
		return v
	}
	l1, l2, dot, cauchy, chi2, common := 0.0, 0.0, 0.0, 1.0, 0.0, 0.0
	for i := range x {
		d := x[i] - y[i]
		l1, l2, dot = l1+math.Abs(d), math.Hypot(l2, d), dot+x[i]*y[i]
		chi2, common = chi2+d*d/(x[i]+y[i]), common+math.Min(x[i], y[i])
		if form["name"] == "cauchy" {
			cauchy /= 1 + math.Pow(d/number("sigma"), 2)
		}
	}
	switch form["name"] {
	case "gaussian":
		return math.Exp(-number("gamma") * l2 * l2)
	case "laplace":
		return math.Exp(-l1 / number("sigma"))
	case "matern":
		r := math.Sqrt(2*number("nu")) * l2 / number("sigma")
		return map[float64]float64{0.5: 1, 1.5: 1 + r, 2.5: 1 + r + r*r/3}[number("nu")] * math.Exp(-r)
	case "cauchy":
		return cauchy
	case "chi2":
		return math.Exp(-number("gamma") * chi2)
	case "intersection":
		return common
	case "periodic":
		sum := 0.0
		for i := range x {
			sum += math.Pow(math.Sin(math.Pi*(x[i]-y[i])/number("period")), 2)
		}
		return math.Exp(-2 * sum / math.Pow(number("sigma"), 2))
	case "cosine":
		return dot / lengths(x, y)
	case "sum", "product", "scale":
		sum, product := 0.0, 1.0
		for _, part := range form["of"].([]any) {
			v := valueOf(t, part.(map[string]any), x, y)
			sum, product = sum+v, product*v
		}
		return map[any]float64{"sum": sum, "product": product}[form["name"]] + map[any]float64{"scale": sum}[form["name"]]*factorOf(form)
	case "ntk":
		return tangent(int(number("depth")))(x, y)
	case "power":
		return math.Pow(valueOf(t, form["of"].([]any)[0].(map[string]any), x, y), number("exponent"))
	case "normalise":
		of := form["of"].([]any)[0].(map[string]any)
		return valueOf(t, of, x, y) / math.Sqrt(valueOf(t, of, x, x)*valueOf(t, of, y, y))
	case "lengthscales":
		u, v := slices.Clone(x), slices.Clone(y)
		for i, scale := range form["lengthscales"].([]any) {
			u[i], v[i] = x[i]/scale.(float64), y[i]/scale.(float64)
		}
		return valueOf(t, form["of"].([]any)[0].(map[string]any), u, v)
	case "arc-cosine":
		if number("order") == 0 {
			return 1 - angleOf(x, y)/math.Pi
		}
		return arcCosine(int(number("depth")))(x, y)
	case "rational-quadratic":
		return math.Pow(1+l2*l2/(2*number("alpha")*math.Pow(number("sigma"), 2)), -number("alpha"))
	case "linear":
		return dot
	case "polynomial":
		return math.Pow(number("gamma")*dot+number("offset"), number("degree"))
	case "series":
		return seriesValue(form, x[0], y[0])
	}
	t.Fatalf("unknown form %v", form)
	return 0
}

func factorOf(form map[string]any) float64 {
	factor, _ := form["factor"].(float64)
	return factor
}

func seriesValue(form map[string]any, x, y float64) float64 {
	terms, sum := 20_000, 0.0 // of i^-2 the rest is below 1e-4, of others below 1e-11
	list, listed := form["eigenvalues"].([]any)
	if listed {
		terms = len(list)
	}
	for i := 1; i <= terms; i++ {
		lambda := 0.0
		if listed {
			lambda = list[i-1].(float64)
		} else if rho, ok := form["rho"].(float64); ok {
			lambda = math.Pow(rho, float64(i))
		} else {
			lambda = math.Pow(float64(i), -form["power"].(float64))
		}
		sum += 2 * lambda * math.Cos(math.Pi*float64(i)*x) * math.Cos(math.Pi*float64(i)*y)
	}
	return sum
}

// TestFormOf: every kernel of the registry has a form, by its own name, that
// passes through JSON and gives its values.
func TestFormOf(t *testing.T) {
	for name := range Registry {
		if len(formed[name]) == 0 && name != "sigmoid" && name != "exec" {
			t.Errorf("kernel %q has no form here: programs could not compute it", name)
		}
		for _, options := range formed[name] {
			k, err := options.Build(nil)
			if err != nil {
				t.Fatal(err)
			}
			checkForm(t, name, k)
		}
	}
	series, err := NewPowerSeries(2)
	if err != nil {
		t.Fatal(err)
	}
	checkForm(t, "series", series.Iterated(2))
	checkForm(t, "lengthscales", ARD{Laplace{Sigma: 1}, []float64{0.3, 2, 0.7}})
	if _, err := FormOf(formless{}); err == nil || !strings.Contains(err.Error(), "has no form") {
		t.Errorf("a kernel without a form: error %v", err)
	}
}

type formless struct{ Gaussian }

func checkForm(t *testing.T, name string, k Kernel) {
	t.Helper()
	f, err := FormOf(k)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var form map[string]any
	if err := json.Unmarshal(text, &form); err != nil {
		t.Fatal(err)
	}
	if form["name"] != name || form["formula"] == "" {
		t.Errorf("kernel %q has the form %v", name, form)
	}
	x, y := []float64{0.2, 0.9, 0.4}, []float64{0.7, 0.1, 0.35}
	if name == "series" {
		x, y = x[:1], y[:1]
	}
	tolerance := 1e-14
	if form["power"] != nil {
		tolerance = 1e-4 // for what seriesValue leaves out
	}
	for _, pair := range [][2][]float64{{x, y}, {x, x}, {y, slices.Clone(x)}} {
		if got, want := valueOf(t, form, pair[0], pair[1]), k.At(pair[0], pair[1]); math.Abs(got-want) > tolerance {
			t.Errorf("%s at %v: the form gives %.17g, the kernel is %.17g", text, pair, got, want)
		}
	}
}
