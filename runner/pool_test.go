package runner

import (
	"context"
	"errors"
	"testing"
	"time"

	"mercer/results"
)

// TestHopeless: after passes that were given up no worker is started while others
// live, but one of these is taken when it comes free; with none alive it is hopeless,
// until a pass ends well.
func TestHopeless(t *testing.T) {
	p := &pool{command: []string{"/not/there"}}
	for range maxTries {
		if err := p.hopeless(); err != nil {
			t.Fatalf("too soon: %v", err)
		}
		p.giveUp(results.Timeout, errHung)
	}
	take := func() (*worker, error) { return p.take(context.Background(), context.Background()) }
	var none noneLeft
	if _, err := take(); !errors.As(err, &none) || none.status != results.Timeout || !errors.Is(none.reason, errHung) {
		t.Errorf("with none alive: %v", err)
	}
	busy := &worker{living: &p.living}
	p.living.Add(1)
	if err := p.hopeless(); err != nil {
		t.Errorf("with one alive: %v", err)
	}
	stop, cancel := context.WithTimeout(context.Background(), 2*watchEvery)
	defer cancel()
	if _, err := p.take(stop, context.Background()); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waiting until the run is stopped: %v", err)
	}
	timer := time.AfterFunc(2*watchEvery, func() { p.put(busy) })
	defer timer.Stop()
	if w, err := take(); w != busy || err != nil {
		t.Errorf("waiting for the one that is alive: %v, %v", w, err)
	}
	busy.discount()
	busy.discount() // as end does, and kill then
	if _, err := take(); !errors.As(err, &none) {
		t.Errorf("after the end of the last: %v", err)
	}
	p.well()
	if _, err := take(); err == nil || errors.As(err, &none) {
		t.Errorf("after a pass that ended well: %v, want that /not/there cannot be started", err)
	}
}

// TestReadyTime: many workers of a plan that took long do not hang for days.
func TestReadyTime(t *testing.T) {
	for _, tt := range []struct {
		workers int
		making  time.Duration
		want    time.Duration
	}{
		{1, 0, 2 * time.Minute},
		{4, 3 * time.Second, 4 * time.Minute},
		{64, 10 * time.Minute, time.Hour},
		{1, 45 * time.Minute, 90 * time.Minute},
	} {
		if got := readyTime(tt.workers, tt.making); got != tt.want {
			t.Errorf("%d workers, %v for the plan: %v, want %v", tt.workers, tt.making, got, tt.want)
		}
	}
}
