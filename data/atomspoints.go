package data

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// atomsPoints draws atoms one after another, all alike, for methods that take points in
// an order.
type atomsPoints struct {
	lineDraw
	atoms *mat.Dense
}

func newAtomsPoints(d *atomsDataset, streams Streams) atomsPoints {
	atoms := d.atoms()
	next := func(rng *rand.Rand) float64 { return d.points.At(rng.IntN(atoms), 0) }
	return atomsPoints{lineDraw{streams, next, d.uniform()}, d.points}
}

// HeldOut are the atoms.
func (d atomsPoints) HeldOut() (*mat.Dense, []int) { return d.atoms, nil }
