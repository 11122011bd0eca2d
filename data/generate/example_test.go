package generate_test

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"mercer/data/generate"
)

// Samples are nested: the first points of a longer draw are the shorter draw.
func Example() {
	g := generate.DefaultRings
	short, _ := generate.Draw(g, 100, rand.New(rand.NewPCG(1, 1)))
	long, _ := generate.Draw(g, 5000, rand.New(rand.NewPCG(1, 1)))
	fmt.Println(mat.Equal(short, long.Slice(0, 100, 0, 2)))
	// Output: true
}
