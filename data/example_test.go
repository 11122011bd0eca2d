package data_test

import (
	"fmt"
	"math/rand/v2"

	"mercer/data"
)

// interval is the uniform law on [0, Length], of one class.
type interval struct {
	Length float64 `yaml:"length" json:"length" above:"0" doc:"end of the interval"`
}

func (interval) Dim() int     { return 1 }
func (interval) Classes() int { return 1 }
func (g interval) Points() func(*rand.Rand, []float64) int {
	return func(rng *rand.Rand, x []float64) int {
		x[0] = g.Length * rng.Float64()
		return 0
	}
}

// A spec then has {use: interval, length: 3, population: {held_out: 1000}}.
func ExampleRegister() {
	data.Register("interval", data.Generated("interval", "uniform on an interval", interval{Length: 1}))
	defer delete(data.Registry, "interval") // a program would go on: os.Exit(cmd.Main(…))

	options := data.Registry["interval"].New()
	dataset, err := options.Open(data.Context{Streams: func(string) data.Source { return rand.NewPCG(1, 2) }})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(dataset.Describe(), dataset.Constants()["D"])
	// Output: interval {"length":1} 1
}
