package exec

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"mercer/internal/process"
)

// stderrInWarning is how many bytes of what a program printed on standard error go into a
// warning, where it answered.
const stderrInWarning = 500

// Ask sends a request and waits for the answer, whose keys are to be some of takes, and then
// until the program is ready again or has ended well. What the program prints meanwhile on
// standard error becomes a warning of the answer. Started, if it is not nil, is called right
// before the request is sent, and what it returns when the answer has come.
//
// Ask fails where the program exits with a status other than 0, dies of a signal, runs out
// of time (an error that is context.DeadlineExceeded), prints something that is no answer,
// or more than one, or answers with an error. Unless it is ready again, a program that fails
// is killed, with its process group. The reason ends with what it printed last on standard
// error. When ctx ends the program is killed; the error is then the context's, too.
func (p *Program) Ask(ctx context.Context, request Request, takes []string, started func() (answered func())) (Answer, error) {
	request.Protocol, request.Dir = Protocol, p.Scratch.dir
	message, err := request.line()
	if err != nil {
		return Answer{}, err
	}
	limited, _, stop := process.WithLimit(ctx, p.command.Timeout, outOfTime{fmt.Sprintf("no answer within timeout: %v", p.command.Timeout)})
	defer stop()

	p.ready = false
	p.stderr.forget()
	answered := func() {}
	if started != nil {
		answered = started()
	}
	go func() { _, _ = p.input.Write(message) }() // a program may end without reading, or hang
	printed, err := p.next(limited, ctx)
	answered()

	var answer Answer
	if err == nil {
		answer, err = decode(printed, takes)
	}
	if err == nil {
		if err = p.awaitReady(limited, ctx); errors.Is(err, errEnded) { // it serves one fit
			err = nil
		}
	}
	if err == nil && answer.Error != "" {
		err = fmt.Errorf("the program reports: %s", answer.Error)
	}
	if err == nil {
		err = answer.read(p.Scratch)
	}
	if err != nil {
		return Answer{}, p.explain(err)
	}
	if said := p.said(); said != "" {
		answer.Warnings = append(answer.Warnings, "stderr: "+shorten(said, stderrInWarning))
	}
	return answer, nil
}

// awaitReady waits until the program says that it is ready for the next request.
func (p *Program) awaitReady(limited, stopped context.Context) error {
	printed, err := p.next(limited, stopped)
	if err != nil {
		return err
	}
	switch version := readyFor(printed); version {
	case Protocol:
		p.ready = true
		return nil
	case 0:
		return fmt.Errorf("the program printed %s on standard output, where the line %s must be (print all else on standard error)", excerpt(printed), readyLine)
	default:
		return fmt.Errorf("the program is for protocol %d: want %d", version, Protocol)
	}
}

// next is the next line that the program prints. limited ends with the program's time, and
// stopped with the run.
func (p *Program) next(limited, stopped context.Context) ([]byte, error) {
	select {
	case l, ok := <-p.printed:
		if !ok {
			return nil, p.ended(stopped)
		}
		return l.text, l.err
	case <-limited.Done():
		return nil, context.Cause(limited)
	}
}

// explain adds what the program said on standard error to the reason of its failure,
// after which it is gone unless it is ready.
func (p *Program) explain(err error) error {
	if !p.ready {
		p.kill()
	}
	if said := p.said(); said != "" {
		lines := strings.Split(said, between)
		exception := lines[len(lines)-1] // of Python
		if strings.Contains(said, "Traceback (most recent call last):") && !strings.Contains(err.Error(), exception) {
			err = fmt.Errorf("%w: %s", err, exception)
		}
		return fmt.Errorf("%w; stderr: %s", err, said)
	}
	return err
}

// said is what the program printed on standard error up to now.
func (p *Program) said() string {
	if _, err := p.mark.Write(endMark); err == nil {
		<-p.stderr.marked
	}
	return p.stderr.text(p.Scratch.dir)
}
