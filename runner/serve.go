package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"mercer/internal/linalg"
	"mercer/internal/linalg/threads"
	"mercer/internal/process"
	"mercer/results"
	"mercer/runner/plan"
)

// A worker process computes one group in one repeat: the run sends it the request below, a
// line of JSON; it answers with replies, a line for each task. It stores no row. Once its
// input is closed it begins no further fit.

// request is what a run asks of a worker process.
type request struct {
	Input      plan.Input    `json:"input"`
	Population string        `json:"population"` // of the group
	Repeat     int           `json:"repeat"`
	IDs        []string      `json:"ids"` // of the rows to compute
	BLAS       string        `json:"blas"`
	Dir        string        `json:"dir"` // of the run, for points
	Processors int           `json:"processors"`
	Measuring  int           `json:"measuring,omitempty"` // see computation
	Memory     int64         `json:"memory"`              // bytes that the process should stay below
	Limit      time.Duration `json:"limit"`               // of a cell, 0 for none
}

// reply is a line that a worker sends: that its first fit begins, the rows of one task after
// another, and the end.
type reply struct {
	Begin bool              `json:"begin,omitempty"`
	Rows  []json.RawMessage `json:"rows,omitempty"` // lines of records.jsonl
	End   bool              `json:"end,omitempty"`
	Error string            `json:"error,omitempty"` // why the worker gives up
}

// Serve is the work of a worker process. log gets the progress of downloads.
func Serve(in io.Reader, out io.Writer, log io.Writer) (err error) {
	process.OfferToKiller()
	s := &server{replies: json.NewEncoder(out)}
	s.replies.SetEscapeHTML(false) // a row's checksum is of its bytes
	var r request
	if err := json.NewDecoder(in).Decode(&r); err != nil {
		return fmt.Errorf("worker: no request came: %w", err)
	}

	stopped, stop := context.WithCancel(context.Background())
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, in) // until the run has all, or has gone
		stop()
	}()
	if err := s.compute(stopped, r, log); err != nil {
		return errors.Join(err, s.replies.Encode(reply{Error: err.Error()}))
	}
	return nil
}

// largeRow is the part of a worker's memory from which on what a row leaves is given back
// before the next one, one in so many. Go's collector begins only once an array is there:
// dead ones would be beside it for a moment, in which the process may be killed.
const largeRow = 4

// server is the state of a worker process.
type server struct {
	*computation
	dir     string
	memory  int64 // bytes that the process should stay below
	replies *json.Encoder
}

// compute makes the plan of the group's data set and computes what is asked of the group.
func (s *server) compute(stopped context.Context, r request, log io.Writer) (err error) {
	if linalg.Backend() != r.BLAS {
		if _, err := linalg.Use(); err != nil {
			return err
		}
	}
	if backend := linalg.Backend(); backend != r.BLAS {
		return fmt.Errorf("the worker process computes with %s, the run with %s", backend, r.BLAS)
	}
	runtime.GOMAXPROCS(r.Processors)
	p, err := r.Input.Prepare(context.Background(), log)
	if err != nil {
		return err
	}
	g, asked, err := find(p, r)
	if err != nil {
		return err
	}
	tuneGC(r.Memory, p.Timed) // for as long as the process lives
	s.computation, s.dir, s.memory = newComputation(p, r.Limit), r.Dir, r.Memory
	s.measuring = r.Measuring
	defer func() { err = errors.Join(err, p.Programs.Close()) }()

	defer threads.RegisterWorker()()
	units, err := s.due(g, r.Repeat, asked, s)
	if err != nil {
		return err
	}
	if err := s.group(stopped, context.Background(), g, r.Repeat, units, s); err != nil {
		return err
	}
	return s.replies.Encode(reply{End: true})
}

// find is the group of a request in a plan that was made again.
func find(p *plan.Plan, r request) (*plan.Group, wanted, error) {
	ids := map[string]bool{}
	for _, id := range r.IDs {
		ids[id] = true
	}
	for _, g := range p.Groups {
		found := 0
		for _, f := range g.Fits {
			for _, c := range f.Cells {
				c.Due = r.Repeat + 1
				if ids[c.ID(r.Repeat)] {
					found++
				}
			}
		}
		if g.Population == r.Population && found == len(ids) {
			return g, func(c *plan.Cell, repeat int) bool { return ids[c.ID(repeat)] }, nil
		}
	}
	return nil, nil, errors.New("the data or programs that the spec names have changed since this run began: run the same command again, which makes the rows that they change anew")
}

func (s *server) begin() error { return s.replies.Encode(reply{Begin: true}) }

// add sends the rows of a task.
func (s *server) add(t *task) error {
	if len(t.points) > 0 {
		err := s.plan.Unchanged()
		if err == nil {
			err = writePoints(s.dir, t.points)
		}
		if err != nil {
			return err
		}
	}
	var a reply
	for _, r := range t.rows {
		line, err := results.Encode(r)
		if err != nil {
			return err
		}
		a.Rows = append(a.Rows, line)
	}
	if peak, _ := process.Peak(os.Getpid()); peak > s.memory/largeRow {
		debug.FreeOSMemory()
	}
	return s.replies.Encode(a)
}
