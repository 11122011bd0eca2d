package exec

import (
	"context"
	"errors"
	"slices"
	"sync"

	"mercer/internal/process"
)

// Take is a program that is ready and no other goroutine uses, with numerical libraries
// held to a number of threads: an idle one, or else a new one. It fails where the files of
// the command have changed. The program must be given to Put.
func (c *Command) Take(ctx context.Context, threads int) (*Program, error) {
	if err := c.unchanged(); err != nil {
		return nil, err
	}
	for p := c.pop(); p != nil; p = c.pop() {
		if p.threads == threads && p.idle() {
			return p, nil
		}
		if err := c.end(p); err != nil {
			return nil, err
		}
	}

	p, err := c.start(ctx, threads)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, p)
	return p, nil
}

func (c *Command) pop() *Program {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.idle) == 0 {
		return nil
	}
	p := c.idle[len(c.idle)-1]
	c.idle = c.idle[:len(c.idle)-1]
	return p
}

// Put makes the program idle, its scratch directory empty but for temporary files. One
// that is not ready is closed.
func (p *Program) Put() error {
	c := p.command
	if !p.ready {
		return c.end(p)
	}
	if err := p.Scratch.clean(temporary); err != nil {
		return errors.Join(err, c.end(p))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = append(c.idle, p)
	return nil
}

func (c *Command) end(p *Program) error {
	err := p.close()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = slices.DeleteFunc(c.all, func(other *Program) bool { return other == p })
	return err
}

// Close ends the programs that no goroutine uses.
func (c *Command) Close() error {
	var idle []*Program
	for p := c.pop(); p != nil; p = c.pop() {
		idle = append(idle, p)
	}
	failed := make([]error, len(idle))
	var closing sync.WaitGroup
	for i, p := range idle {
		closing.Go(func() { failed[i] = c.end(p) })
	}
	closing.Wait()
	return errors.Join(failed...)
}

// CPU is the processor time that the programs which run have taken, in seconds; 0
// where the system does not tell.
func (c *Command) CPU() (seconds float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.all {
		if p.alive() {
			seconds += process.CPUOf(p.child.Process.Pid)
		}
	}
	return seconds
}
