package runner

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"

	"mercer/internal/linalg"
	"mercer/internal/linalg/threads"
	"mercer/internal/process"
	"mercer/results"
	"mercer/runner/plan"
)

// A worker process computes passes for a run and stores nothing. It receives a pass as
// an order and sends answers as they come, both as gob streams; it ends
// with its input.

// Serve is the work of a worker process: it reads orders from in and writes
// answers to out until in ends, whatever is in hand then. log gets the progress of
// downloads.
func Serve(in io.Reader, out io.Writer, log io.Writer) error {
	process.OfferToKiller()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	answers := gob.NewEncoder(out)
	orders := gob.NewDecoder(in)
	var first order
	if err := orders.Decode(&first); err != nil {
		return fmt.Errorf("worker: no order came: %w", err)
	}
	s, err := newServer(ctx, first.Setup, answers, log)
	if err != nil {
		return errors.Join(err, answers.Encode(message{Error: err.Error()}))
	}
	if err := answers.Encode(message{Ready: true}); err != nil {
		return err
	}
	passes := make(chan order)
	ended := make(chan error, 1)
	go func() {
		for o := range passes {
			if err := s.serve(ctx, o); err != nil {
				ended <- err
				return
			}
		}
	}()
	received := make(chan order)
	go func() {
		defer close(received)
		for {
			var o order
			if orders.Decode(&o) != nil {
				return
			}
			received <- o
		}
	}()
	for {
		select {
		case err := <-ended:
			return err
		case o, ok := <-received:
			switch {
			case !ok:
				return nil
			case o.Stop:
				s.stop()
			default:
				select {
				case passes <- o:
				case err := <-ended:
					return err
				}
			}
		}
	}
}

// server is the state of a worker process.
type server struct {
	*computation
	answers *gob.Encoder
	group   int // that at is of
	fits    []int
	at      *inProcess // nil for none
	stopped context.Context
	stop    context.CancelFunc
}

func newServer(ctx context.Context, s *setup, answers *gob.Encoder, log io.Writer) (*server, error) {
	if s == nil {
		return nil, errors.New("worker: the first order has no setup")
	}
	if linalg.Backend() != s.BLAS {
		if _, err := linalg.Use(); err != nil {
			return nil, err
		}
	}
	if backend := linalg.Backend(); backend != s.BLAS {
		return nil, fmt.Errorf("the worker process computes with %s, the run with %s", backend, s.BLAS)
	}
	runtime.GOMAXPROCS(s.Processors)
	p, err := s.Input.PrepareShard(ctx, log, s.Shard)
	if err != nil {
		return nil, err
	}
	if p.Origin.Digest != s.Digest {
		return nil, errors.New("the data or programs that the spec names have changed since this run began: run the same command again, which makes the records that they change anew")
	}
	tuneGC(s.Memory, 0, p.Timed) // for as long as the process lives; its groups are large and need no ballast
	server := &server{computation: newComputation(p, s.Limit), answers: answers}
	server.stopped, server.stop = context.WithCancel(ctx)
	return server, nil
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

// serve does one order. Its error ends the worker.
func (s *server) serve(ctx context.Context, o order) error {
	if o.Release || o.Group != s.group || !slices.Equal(o.Fits, s.fits) {
		s.at = nil
		debug.FreeOSMemory()
	}
	if o.Release {
		return nil
	}
	if s.at == nil {
		g, err := s.part(o.Group, o.Fits)
		if err != nil {
			return err
		}
		s.group, s.fits, s.at = o.Group, o.Fits, &inProcess{computation: s.computation, group: g}
	}
	g := s.at.group
	passes := s.plan.Passes(g)
	if o.Pass < 0 || o.Pass >= len(passes) {
		return fmt.Errorf("worker: no pass %d", o.Pass)
	}
	wanted := map[string]bool{}
	for _, key := range o.Cells {
		wanted[key] = true
	}
	tasks := s.tasks(g, passes[o.Pass], func(g *plan.Group, f *plan.Fit) []plan.Cell {
		var cells []plan.Cell
		for _, c := range f.Cells {
			if wanted[g.Key(c)] {
				cells = append(cells, c)
			}
		}
		return cells
	})
	defer threads.RegisterWorker()()
	s.at.begin()
	before := process.CPU()
	if err := s.answers.Encode(message{Begin: true, CPU: before}); err != nil {
		return err
	}
	number := 0
	process.ForgetPeak()
	err := s.at.pass(s.stopped, ctx, o.Pass, tasks, func(t *task) error {
		now := process.CPU()
		a := message{Task: number, CPU: now}
		number++
		for i := range t.records {
			t.records[i].Usage = &results.Usage{CPU: now - before, Peak: process.Peak()}
			line, err := results.Encode(t.records[i])
			if err != nil {
				return err
			}
			a.Lines = append(a.Lines, line)
		}
		for _, k := range t.points {
			a.Points = append(a.Points, pointsMessage{k.key, k.points})
		}
		process.ForgetPeak()
		before = process.CPU()
		return s.answers.Encode(a)
	})
	if err != nil {
		return err
	}
	return s.answers.Encode(message{End: true})
}
