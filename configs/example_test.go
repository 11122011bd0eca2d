package configs_test

import (
	"fmt"

	"mercer/configs"
	"mercer/configs/source"
)

func ExampleParams_Bind() {
	type options struct {
		Landmarks string  `yaml:"landmarks" enum:"uniform,first"`
		Ridge     float64 `yaml:"ridge" min:"0"`
	}
	at := configs.Env{"n": configs.NumberOf(1000), "rule": configs.TextOf("first")}
	for _, text := range []string{"{ridge: 0}", "{landmarks: =rule, ridge: 1/n}", "{landmarks: 1, ridge: 1-n}", "{landmark: first}"} {
		o := options{Landmarks: "uniform", Ridge: 1e-8} // the defaults
		p, _ := source.Params("method", "nystrom", text)
		bound, err := p.Bind(&o, at)
		fmt.Println(o, bound.Canonical(), err)
	}
	// Output:
	// {uniform 0} {"ridge": 0} <nil>
	// {first 0.001} {"landmarks": "first", "ridge": 0.001} <nil>
	// {uniform 1e-08} {"landmarks": 1, "ridge": -999} 1:13: "landmarks" of method "nystrom" must be text, found the number 1; put it in quotes
	// 1:23: "ridge" of method "nystrom" must be at least 0, found -999 at n = 1000
	// {uniform 1e-08} {"landmark": "first"} 1:2: unknown key "landmark" in method "nystrom"; did you mean "landmarks"?
}

func ExampleGrid_Points() {
	spec, err := source.Parse("example.yaml", []byte(`
name: example
seed: 1
repeats: 1
datasets: [{id: poly2, use: series, decay: {power: 2}}]
grid:
  n: [100, 400]
  m: "ceil(n^(1/alpha))"
  ell: [5, 15]
  skip: ell > m
methods: [{id: nystrom, use: nystrom}]
measure: [recon_h]
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	points, err := spec.Grid.Points(map[string]float64{"alpha": 2})
	for i := range points.Len() {
		p := points.At(i)
		fmt.Println(p["n"].Number, p["m"].Number, p["ell"].Number)
	}
	fmt.Println(err)
	// Output:
	// 100 10 5
	// 400 20 5
	// 400 20 15
	// <nil>
}
