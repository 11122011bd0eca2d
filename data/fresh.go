package data

import (
	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
	"mercer/internal/kernel"
)

// freshDataset draws new points in each repeat, without end, and points to be held out.
type freshDataset struct {
	about
	// points are the first n of a sequence, which the stream of its purpose gives, and their
	// classes.
	points func(streams Streams, purpose string, n int) (Rows, []int)
}

const (
	sampled = "sample"     // the purpose of a repeat's points
	heldOut = "population" // and of those held out, if there are any
)

// Draw begins one repeat's sequences.
func (d *freshDataset) Draw(streams Streams) (Draw, error) {
	return &freshDraw{dataset: d, streams: streams}, nil
}

type freshDraw struct {
	dataset *freshDataset
	streams Streams
	held    *mat.Dense // nil before they are asked for
	labels  []int
}

func (d *freshDraw) Rows(n int) (Rows, []int, error) {
	rows, labels := d.dataset.points(d.streams, sampled, n)
	return rows, labels, nil
}

func (d *freshDraw) Sample(n int) (*mat.Dense, []int, error) {
	rows, labels, err := d.Rows(n)
	return files.Table{X: rows}.Dense(), labels, err
}

func (*freshDraw) Counted() *Counts { return nil }

func (d *freshDraw) HeldOut() (*mat.Dense, []int) {
	if n := d.dataset.support.Points; d.held == nil && n > 0 {
		rows, labels := d.dataset.points(d.streams, heldOut, n)
		d.held, d.labels = files.Table{X: rows}.Dense(), labels
	}
	return d.held, d.labels
}

func (d *freshDraw) Population(k kernel.Kernel, rank int) (Population, error) {
	points, _ := d.HeldOut()
	return populationOf(points, k, rank), nil
}

// populationOf is nil without points.
func populationOf(points *mat.Dense, k kernel.Kernel, rank int) Population {
	if points == nil {
		return nil
	}
	return newEmpiricalPopulation(points, k, rank)
}
