package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
// line of JSON, and perhaps a second one to stop; it answers with replies, a line for each
// task. It stores no row.

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
	Stop       bool          `json:"stop,omitempty"`      // begin no further fit
}

// reply is a line that a worker sends: that it has made its plan, that its first fit begins,
// the rows of one task after another, and the end.
type reply struct {
	Ready bool              `json:"ready,omitempty"`
	Begin bool              `json:"begin,omitempty"`
	Rows  []json.RawMessage `json:"rows,omitempty"` // lines of records.jsonl
	End   bool              `json:"end,omitempty"`
	Error string            `json:"error,omitempty"` // why the worker gives up
	CPU   float64           `json:"cpu"`             // seconds that the process has taken so far
}

// Serve is the work of a worker process. log gets the progress of downloads.
func Serve(in io.Reader, out io.Writer, log io.Writer) (err error) {
	process.OfferToKiller()
	s := &server{replies: json.NewEncoder(out)}
	s.replies.SetEscapeHTML(false) // a row's checksum is of its bytes
	requests := json.NewDecoder(in)
	var r request
	if err := requests.Decode(&r); err != nil {
		return fmt.Errorf("worker: no request came: %w", err)
	}

	stopped, stop := context.WithCancel(context.Background())
	defer stop()
	ended := make(chan error, 2)
	go func() {
		var again request
		for requests.Decode(&again) == nil {
			stop()
		}
		ended <- nil // the run has all, or has gone; until then it asks the kernel about this process
	}()
	go func() {
		if err := s.compute(stopped, r, log); err != nil {
			ended <- errors.Join(err, s.reply(reply{Error: err.Error()}))
		}
	}()
	return errors.Join(<-ended, s.endPrograms())
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
	cpu     float64 // seconds that the process had taken before the task in hand
}

// compute makes the plan of the group's data set and computes what is asked of the group.
func (s *server) compute(stopped context.Context, r request, log io.Writer) error {
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
	tuneGC(r.Memory, 0, p.Timed) // for as long as the process lives; its group is large and needs no ballast
	s.computation, s.dir, s.memory = newComputation(p, r.Limit), r.Dir, r.Memory
	s.measuring = r.Measuring
	if err := s.reply(reply{Ready: true}); err != nil {
		return err
	}

	defer threads.RegisterWorker()()
	s.cpu = s.taken()
	units, err := s.due(g, r.Repeat, asked, s)
	if err != nil {
		return err
	}
	if err := s.group(stopped, context.Background(), g, r.Repeat, units, s); err != nil {
		return err
	}
	return s.reply(reply{End: true})
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

// taken is the processor time of this process and of its programs, in seconds.
func (s *server) taken() float64 {
	seconds := process.CPU()
	if s.computation == nil { // nothing is set up
		return seconds
	}
	for _, m := range s.programs() {
		seconds += m.CPU()
	}
	return seconds
}

// endPrograms ends what methods keep running.
func (s *server) endPrograms() error {
	if s.computation == nil {
		return nil
	}
	return s.computation.endPrograms()
}

func (s *server) begin() error { return s.reply(reply{Begin: true}) }

// add sends the rows of a task, with what the process took for it.
func (s *server) add(t *task) error {
	if len(t.points) > 0 {
		err := s.plan.Unchanged()
		if err == nil {
			err = advise(writePoints(s.dir, t.points))
		}
		if err != nil {
			return err
		}
	}
	var a reply
	used := &results.Usage{CPU: s.taken() - s.cpu, Peak: process.Peak()}
	for _, r := range t.rows {
		r.Usage = used
		line, err := results.Encode(r)
		if err != nil {
			return err
		}
		a.Rows = append(a.Rows, line)
	}
	if used.Peak > s.memory/largeRow {
		debug.FreeOSMemory()
	}
	return s.reply(a)
}

// reply sends a line. What the process takes from then on is of the next task.
func (s *server) reply(a reply) error {
	a.CPU = s.taken()
	err := s.replies.Encode(a)
	process.ForgetPeak()
	s.cpu = s.taken()
	return err
}
