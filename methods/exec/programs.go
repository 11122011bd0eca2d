package exec

import (
	"context"
	"errors"
	"slices"
	"sync"

	"mercer/internal/process"
)

// Programs are the running processes of one command. They start when they are needed
// and serve one fit after another until Close. Several goroutines may use it.
type Programs struct {
	command *Command
	mu      sync.Mutex
	idle    []*Program
	all     []*Program
}

// NewPrograms starts none.
func NewPrograms(c *Command) *Programs { return &Programs{command: c} }

// Take is a program that is ready and no other goroutine uses, with numerical libraries
// held to a number of threads: an idle one, or else a new one. An idle one that has printed
// something since its answer is ended: it could pass for the next answer. It fails where
// the files of the command have changed. The program must be given to Put.
func (s *Programs) Take(ctx context.Context, threads int) (*Program, error) {
	if err := s.command.unchanged(); err != nil {
		return nil, err
	}
	for p := s.pop(); p != nil; p = s.pop() {
		if p.threads == threads && p.quiet() && p.alive() {
			return p, nil
		}
		if err := s.end(p); err != nil {
			return nil, err
		}
	}
	p, err := s.command.Start(ctx, threads)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, p)
	return p, nil
}

func (s *Programs) pop() *Program {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.idle) == 0 {
		return nil
	}
	p := s.idle[len(s.idle)-1]
	s.idle = s.idle[:len(s.idle)-1]
	return p
}

// Put makes the program idle, its scratch directory empty but for temporary files. One
// that is not ready is closed.
func (s *Programs) Put(p *Program) error {
	if !p.ready {
		return s.end(p)
	}
	if err := p.Scratch.clean(temporary, ownMark); err != nil {
		return errors.Join(err, s.end(p))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = append(s.idle, p)
	return nil
}

func (s *Programs) end(p *Program) error {
	err := p.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = slices.DeleteFunc(s.all, func(other *Program) bool { return other == p })
	return err
}

// Close ends the programs that no goroutine uses.
func (s *Programs) Close() error {
	s.mu.Lock()
	idle := s.idle
	s.idle = nil
	s.mu.Unlock()
	failed := make([]error, len(idle))
	var closing sync.WaitGroup
	for i, p := range idle {
		closing.Go(func() { failed[i] = s.end(p) })
	}
	closing.Wait()
	return errors.Join(failed...)
}

// CPU is the processor time that the programs which run have taken, in seconds; 0
// where the system does not tell.
func (s *Programs) CPU() (seconds float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.all {
		if p.alive() {
			seconds += process.CPUOf(p.child.Process.Pid)
		}
	}
	return seconds
}
