package runner

import (
	"fmt"

	"mercer/results"
	"mercer/runner/plan"
)

// task is a fit with the cells that are pending, and their records.
type task struct {
	fit     *plan.Fit
	cells   []plan.Cell
	records []results.Record
	points  []cellPoints // of the cells that figures show
	flops   float64
}

// cellPoints are the points of one record, to be stored before it.
type cellPoints struct {
	key    string
	points results.Points
}

func setStatus(records []results.Record, status results.Status, reason error) {
	for i := range records {
		records[i].Status, records[i].Reason = status, reason.Error()
	}
}

// take fills in a task as a worker has done it. It fails where that took more
// memory than it may, if only between two looks.
func (t *task) take(a message, memory int64) error {
	if len(a.Lines) != len(t.records) {
		return fmt.Errorf("its process answered with %d records for %d", len(a.Lines), len(t.records))
	}
	records := make([]results.Record, len(a.Lines))
	for i, line := range a.Lines {
		r, err := results.Decode(line)
		switch {
		case err != nil || r.Key != t.records[i].Key:
			return fmt.Errorf("its process answered with a record of %q for %q: %v", r.Key, t.records[i].Key, err)
		case r.Usage != nil && r.Usage.Peak > memory:
			return tooLarge(r.Usage.Peak)
		}
		records[i] = r
	}
	t.records = records
	for _, k := range a.Points {
		t.points = append(t.points, cellPoints{k.Key, k.Points})
	}
	return nil
}
