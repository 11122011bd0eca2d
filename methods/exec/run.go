package exec

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"mercer/internal/process"
)

// Result is what a program found in a fit.
type Result struct {
	Answer Answer
	Stderr string // the end of what it printed there, in one line; empty for nothing
}

// Fit sends the request and waits for the answer, and then until the program is ready
// again or has ended well. It fails where the program exits with a status other than 0,
// dies of a signal, runs out of time (an error that is context.DeadlineExceeded), prints
// something that is no answer, or more than one, or answers with an error. Unless it
// answered with an error, a program that fails is killed, with its process group. The
// reason ends with what it printed last on standard error. When ctx ends the program is
// killed; the error is then the context's, too. Started, if it is not nil, is called
// right before the request is sent, and what it returns when the answer has come.
func (p *Program) Fit(ctx context.Context, request Request, started func() (answered func())) (Result, error) {
	request.Protocol = Protocol
	return p.exchange(ctx, request, started)
}

// Ask has the program say what the estimate of its last fit makes of the points of a call.
// It fails as Fit does, and where the program is gone.
func (p *Program) Ask(ctx context.Context, call Call) (Result, error) {
	call.Protocol, call.Dir = Protocol, p.Scratch.dir
	return p.exchange(ctx, call, nil)
}

func (p *Program) exchange(ctx context.Context, request any, started func() (answered func())) (Result, error) {
	message, err := lineOf(request)
	if err != nil {
		return Result{}, err
	}
	timed, _, stop := process.WithLimit(ctx, p.command.Timeout, outOfTime{fmt.Sprintf("no answer within timeout: %v", p.command.Timeout)})
	defer stop()
	limited, heard, stop := process.WithLimit(timed, p.command.Silence, outOfTime{fmt.Sprintf("neither an answer nor the line %s within silence: %v", aliveLine, p.command.Silence)})
	defer stop()
	p.ready = false
	p.stderr.forget()
	answer, err := p.ask(limited, ctx, message, heard, started)
	if err == nil {
		err = p.awaitReady(limited, ctx)
	}
	if errors.Is(err, errEnded) && answer != nil { // it serves one fit
		err = nil
	}
	if err == nil && answer.Error != "" {
		err = fmt.Errorf("the program reports: %s", answer.Error)
	}
	if err != nil {
		return Result{}, p.explain(err)
	}
	return Result{Answer: *answer, Stderr: p.said()}, nil
}

// ask sends a request and reads the answer; none is nil. heard is called when the program
// says that it is alive.
func (p *Program) ask(limited, stopped context.Context, message []byte, heard func(), started func() func()) (*Answer, error) {
	if started != nil {
		defer started()()
	}
	go func() { _, _ = p.input.Write(message) }() // a program may end without reading, or hang
	printed, err := p.next(limited, stopped)
	for err == nil && string(bytes.TrimSpace(printed)) == aliveLine {
		heard()
		printed, err = p.next(limited, stopped)
	}
	if err != nil {
		return nil, err
	}
	heard()
	answer, err := DecodeAnswer(printed)
	if err != nil {
		return nil, err
	}
	return &answer, nil
}

// awaitReady waits until the program says that it is ready for the next request.
func (p *Program) awaitReady(limited, stopped context.Context) error {
	printed, err := p.next(limited, stopped)
	if err != nil {
		return err
	}
	var says map[string]int
	err = json.Unmarshal(printed, &says)
	switch version, ok := says["ready"]; {
	case err != nil || len(says) != 1 || !ok:
		return fmt.Errorf("the program printed %s on standard output, where the line %s must be (print all else on standard error)", excerpt(printed), readyLine)
	case version != Protocol:
		return fmt.Errorf("the program is for protocol %d: want %d", version, Protocol)
	}
	p.ready = true
	return nil
}

// next is the next line that the program prints.
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
