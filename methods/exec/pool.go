package exec

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// Take is a program that is ready and no other goroutine uses, with numerical libraries
// held to a number of threads: an idle one, or else a new one. It fails where the files of
// the command have changed. The program must be given to Put.
func (c *Command) Take(ctx context.Context, threads int) (*Program, error) {
	if err := c.unchanged(); err != nil {
		return nil, err
	}
	for p := c.pop(threads); p != nil; p = c.pop(threads) {
		if p.idle() {
			return p, nil
		}
		if err := p.close(); err != nil {
			return nil, err
		}
	}

	return c.start(ctx, threads)
}

// pop is an idle program of so many threads; nil for none. The others stay: they may be those
// of another use, such as a kernel under which a method of the same program is timed.
func (c *Command) pop(threads int) *Program {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.idle, func(p *Program) bool { return p.threads == threads })
	if i < 0 {
		return nil
	}
	p := c.idle[i]
	c.idle = slices.Delete(c.idle, i, i+1)
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
	c.mu.Lock()
	idle := c.idle
	c.idle = nil
	c.mu.Unlock()
	failed := make([]error, len(idle))
	var closing sync.WaitGroup
	for i, p := range idle {
		closing.Go(func() { failed[i] = p.close() })
	}
	closing.Wait()
	return errors.Join(failed...)
}
