package exec

import (
	"context"
	"errors"
	"sync"
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
		if err := p.close(); err != nil {
			return nil, err
		}
	}

	return c.start(ctx, threads)
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
		return p.close()
	}
	if err := p.Scratch.clean(temporary); err != nil {
		return errors.Join(err, p.close())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = append(c.idle, p)
	return nil
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
		closing.Go(func() { failed[i] = p.close() })
	}
	closing.Wait()
	return errors.Join(failed...)
}
