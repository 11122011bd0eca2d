package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// queue is what an engine knows of a run.
type queue struct {
	shards    map[int]Task // of each shard a live task if there is one, else the last
	reports   []Task
	elsewhere []string // other run folders of the same plan with live tasks
}

// queue asks the engine.
func (r *Run) queue(ctx context.Context) (queue, error) {
	q := queue{shards: map[int]Task{}}
	tasks, err := r.Engine.Live(ctx, r.Name())
	if err != nil {
		return q, fmt.Errorf("cannot tell what is queued: %w; try again when the scheduler answers", err)
	}
	others := map[string]bool{}
	for _, t := range tasks {
		switch {
		case t.Dir != r.Dir:
			if t.Live {
				others[t.Dir] = true
			}
		case t.Shard < 0:
			q.reports = append(q.reports, t)
		default:
			if last, ok := q.shards[t.Shard]; !ok || !last.Live || t.Live {
				q.shards[t.Shard] = t
			}
		}
	}
	q.elsewhere = slices.Sorted(maps.Keys(others))
	return q, nil
}

// ask asks the engine where that only explains: without an answer everything is
// unknown. It notes why, unless the engine's commands are missing. name is the queue's.
func (r *Run) ask(ctx context.Context, notes io.Writer) (q queue, name string) {
	offer, err := r.Engine.Available(ctx, r.jobs.Settings, r.Dir)
	if errors.Is(err, ErrAbsent) {
		return queue{}, offer.Queue
	}
	if q, err = r.queue(ctx); err != nil {
		fmt.Fprintln(notes, "note:", err)
	}
	return q, offer.Queue
}

// live are the shards that wait or run.
func (q queue) live() []int {
	var live []int
	for shard, t := range q.shards {
		if t.Live {
			live = append(live, shard)
		}
	}
	slices.Sort(live)
	return live
}

// busy says that a job of the run waits or runs.
func (q queue) busy() bool {
	return len(q.live()) > 0 || slices.ContainsFunc(q.reports, func(t Task) bool { return t.Live })
}

// explain says what the engine knows of a shard; name is its own.
func (q queue) explain(shard int, name string) string {
	t, ok := q.shards[shard]
	if !ok {
		return "unknown to " + name
	}
	text := "job " + t.ID + " " + t.State
	if t.Reason != "" {
		text += " (" + t.Reason + ")"
	}
	if t.Node != "" {
		text += " on " + t.Node
	}
	if t.Note != "" {
		text += ", " + t.Note
	}
	return text
}

// count says how many shards are in which state; "" where none is known.
func (q queue) count() string {
	if len(q.shards) == 0 {
		return ""
	}
	running, waiting, ended := 0, 0, 0
	for _, t := range q.shards {
		switch {
		case t.Waiting:
			waiting++
		case t.Live:
			running++
		default:
			ended++
		}
	}
	return fmt.Sprintf("shards: %d waiting, %d running, %d ended", waiting, running, ended)
}

// shardsText names shards in few words.
func shardsText(shards []int) string {
	if len(shards) == 1 {
		return fmt.Sprintf("shard %d", shards[0])
	}
	return fmt.Sprintf("%d shards, %s", len(shards), Ranges(shards))
}
