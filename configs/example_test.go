package configs_test

import (
	"fmt"

	"mercer/configs"
)

func ExampleParams_Decode() {
	type options struct {
		Landmarks string  `yaml:"landmarks" enum:"uniform,first"`
		Ridge     float64 `yaml:"ridge" min:"0"`
	}
	o := options{Landmarks: "uniform", Ridge: 1e-8} // the defaults
	p, _ := configs.ParamsFrom("method", "nystrom", "{ridge: 0}")
	fmt.Println(p.Decode(&o), o)
	p, _ = configs.ParamsFrom("method", "nystrom", "{landmark: first}")
	fmt.Println(p.Decode(&o))
	// Output:
	// <nil> {uniform 0}
	// 1:2: unknown key "landmark" in method "nystrom"; did you mean "landmarks"?
}

func ExampleGrid_Points() {
	spec, err := configs.Parse("example.yaml", []byte(`
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
		fmt.Println(p["n"], p["m"], p["ell"])
	}
	fmt.Println(err)
	// Output:
	// 100 10 5
	// 400 20 5
	// 400 20 15
	// <nil>
}
