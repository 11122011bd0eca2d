package runner

import (
	"mercer/results"
	"mercer/runner/plan"
)

// task is a fit with the cells that are wanted, and their records.
type task struct {
	fit     *plan.Fit
	cells   []plan.Cell
	records []results.Record
	points  []cellPoints // of the cells that figures show
	flops   float64
	tries   int // how often a worker process has begun it in vain
}

// cellPoints are the points of one record, to be stored before it.
type cellPoints struct {
	key    string
	points results.Points
}

// wanted says whether a cell of a group is still to be computed.
type wanted func(*plan.Group, plan.Cell) bool

func setStatus(records []results.Record, status results.Status, reason error) {
	for i := range records {
		records[i].Status, records[i].Reason = status, reason.Error()
	}
}

func writePoints(dir string, points []cellPoints) error {
	for _, k := range points {
		if err := results.WritePoints(dir, k.key, k.points); err != nil {
			return err
		}
	}
	return nil
}
