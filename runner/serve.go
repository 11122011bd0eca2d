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

// request is a line that a run sends to a worker process: a setup first, then parts of
// groups, each when the part before it has ended.
type request struct {
	Setup *setup   `json:"setup,omitempty"`
	Group int      `json:"group"`           // of the plan's, by number
	Fits  []int    `json:"fits,omitempty"`  // of the group's that are computed as a group of their own, by number; none for all
	Cells []string `json:"cells,omitempty"` // keys of those to compute
	Stop  bool     `json:"stop,omitempty"`  // begin no further fit
}

// setup is what a worker needs once.
type setup struct {
	Input      plan.Input    `json:"input"`
	Shard      *plan.Shard   `json:"shard,omitempty"` // of the plan that is made from it, nil for all
	Digest     string        `json:"digest"`          // of what they make
	BLAS       string        `json:"blas"`
	Dir        string        `json:"dir"` // of the run, for points
	Processors int           `json:"processors"`
	Measuring  int           `json:"measuring,omitempty"` // see computation
	Memory     int64         `json:"memory"`              // bytes that the process should stay below
	Limit      time.Duration `json:"limit"`               // of a cell, 0 for none
}

// reply is a line that a worker sends: that it is ready, then for each part that its
// first fit begins, the records of one task after another, and the end.
type reply struct {
	Ready   bool              `json:"ready,omitempty"`
	Begin   bool              `json:"begin,omitempty"`
	Records []json.RawMessage `json:"records,omitempty"` // lines of records.jsonl
	End     bool              `json:"end,omitempty"`
	Error   string            `json:"error,omitempty"` // why the worker gives up
	CPU     float64           `json:"cpu"`             // seconds that the process has taken so far
}

// Serve is the work of a worker process: it reads requests from in and writes
// replies to out until in ends, whatever is in hand then. Records go to the run, which
// stores them; points of figures it writes itself. log gets the progress of downloads.
func Serve(in io.Reader, out io.Writer, log io.Writer) (err error) {
	process.OfferToKiller()
	s := &server{replies: json.NewEncoder(out)}
	s.replies.SetEscapeHTML(false) // a record's checksum is of its bytes
	requests := json.NewDecoder(in)
	if err := s.setUp(requests, log); err != nil {
		return errors.Join(err, s.reply(reply{Error: err.Error()}))
	}
	defer func() { err = errors.Join(err, s.endPrograms()) }()
	if err := s.reply(reply{Ready: true}); err != nil {
		return err
	}
	parts, ended := make(chan request, 1), make(chan error, 2)
	go func() {
		for part := range parts {
			if err := s.compute(part); err != nil {
				ended <- errors.Join(err, s.reply(reply{Error: err.Error()}))
				return
			}
		}
	}()
	go func() {
		for {
			var r request
			switch err := requests.Decode(&r); {
			case err != nil:
				ended <- nil
				return
			case r.Stop:
				s.stop()
			default:
				parts <- r
			}
		}
	}()
	return <-ended
}

// largeRecord is the part of a worker's memory from which on what a record leaves is given
// back before the next one, one in so many. Go's collector begins only once an array is
// there: dead ones would be beside it for a moment, in which the process may be killed.
const largeRecord = 4

// server is the state of a worker process.
type server struct {
	*computation
	dir     string
	memory  int64 // bytes that the process should stay below
	replies *json.Encoder
	stopped context.Context
	stop    context.CancelFunc
	cpu     float64 // seconds that the process had taken before the task in hand
}

// setUp makes the plan again that the first request is of.
func (s *server) setUp(requests *json.Decoder, log io.Writer) error {
	var first request
	if err := requests.Decode(&first); err != nil {
		return fmt.Errorf("worker: no setup came: %w", err)
	}
	if first.Setup == nil {
		return errors.New("worker: the first request has no setup")
	}
	o := first.Setup
	if linalg.Backend() != o.BLAS {
		if _, err := linalg.Use(); err != nil {
			return err
		}
	}
	if backend := linalg.Backend(); backend != o.BLAS {
		return fmt.Errorf("the worker process computes with %s, the run with %s", backend, o.BLAS)
	}
	runtime.GOMAXPROCS(o.Processors)
	s.stopped, s.stop = context.WithCancel(context.Background())
	p, err := o.Input.PrepareShard(context.Background(), log, o.Shard)
	if err != nil {
		return err
	}
	if p.Origin.Digest != o.Digest {
		return errors.New("the data or programs that the spec names have changed since this run began: run the same command again, which makes the records that they change anew")
	}
	tuneGC(o.Memory, 0, p.Timed) // for as long as the process lives; its groups are large and need no ballast
	s.computation, s.dir, s.memory = newComputation(p, o.Limit), o.Dir, o.Memory
	s.measuring = o.Measuring
	return nil
}

// compute computes the cells of a part, and gives its memory back.
func (s *server) compute(r request) error {
	g, err := s.part(r.Group, r.Fits)
	if err != nil {
		return err
	}
	keys := map[string]bool{}
	for _, key := range r.Cells {
		keys[key] = true
	}
	defer threads.RegisterWorker()()
	s.cpu = s.taken()
	err = s.group(s.stopped, context.Background(), g, func(g *plan.Group, c plan.Cell) bool { return keys[g.Key(c)] }, s)
	if err != nil {
		return err
	}
	debug.FreeOSMemory()
	return s.reply(reply{End: true})
}

// part is a group of the plan, or some of its fits.
func (s *server) part(group int, fits []int) (*plan.Group, error) {
	if group < 0 || group >= len(s.plan.Groups) {
		return nil, fmt.Errorf("worker: no group %d", group)
	}
	g := s.plan.Groups[group]
	if fits == nil {
		return g, nil
	}
	var some []*plan.Fit
	for _, number := range fits {
		if number < 0 || number >= len(g.Fits) {
			return nil, fmt.Errorf("worker: no fit %d", number)
		}
		some = append(some, g.Fits[number])
	}
	return s.plan.Part(g, some), nil
}

// taken is the processor time of this process and of its programs, in seconds.
func (s *server) taken() float64 {
	seconds := process.CPU()
	if s.computation == nil { // nothing is set up
		return seconds
	}
	for _, m := range s.serving() {
		seconds += m.CPU()
	}
	return seconds
}

func (s *server) begin() error { return s.reply(reply{Begin: true}) }

// add sends the records of a task, with what the process took for it.
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
	for _, r := range t.records {
		r.Usage = used
		line, err := results.Encode(r)
		if err != nil {
			return err
		}
		a.Records = append(a.Records, line)
	}
	if used.Peak > s.memory/largeRecord {
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
