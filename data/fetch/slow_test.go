package fetch

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// network joins clients and servers in memory, so that their clock can be that of a
// bubble of testing/synctest.
type network struct {
	incoming chan net.Conn
	closed   chan struct{}
}

func (n *network) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case n.incoming <- there:
		return here, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (n *network) Accept() (net.Conn, error) {
	select {
	case conn := <-n.incoming:
		return conn, nil
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

func (n *network) Close() error   { close(n.closed); return nil }
func (n *network) Addr() net.Addr { return &net.IPAddr{} }

// TestSlowServers: a server that drips is given up for the next source, one that is
// slow enough to pass is given up in the end, and one that is slow at times is not.
// The clock is that of the bubble: no time passes.
func TestSlowServers(t *testing.T) {
	data := content(400_000)
	every := func(pause time.Duration, bytes int) func(sent int) (time.Duration, int) {
		return func(int) (time.Duration, int) { return pause, bytes }
	}
	for _, tt := range []struct {
		name   string
		drip   func(sent int) (pause time.Duration, bytes int) // of the first source
		total  time.Duration
		fails  []string // nil: it succeeds
		after  [2]time.Duration
		asked  []string // addresses
		stayed bool     // the .part
	}{
		{name: "a byte a second", drip: every(time.Second, 1), total: time.Hour, after: [2]time.Duration{30 * time.Second, 31 * time.Second}, asked: []string{"drips", "good"}},
		{name: "a byte in 19 seconds", drip: every(19*time.Second, 1), total: time.Hour, after: [2]time.Duration{30 * time.Second, 31 * time.Second}, asked: []string{"drips", "good"}},
		{name: "fast, then drips", drip: func(sent int) (time.Duration, int) {
			if sent < 300_000 {
				return time.Second, 10_000
			}
			return time.Second, 1
		}, total: time.Hour, after: [2]time.Duration{60 * time.Second, 61 * time.Second}, asked: []string{"drips", "good"}},
		{name: "slow at times", drip: func(sent int) (time.Duration, int) {
			if sent%160_000 == 0 {
				return 15 * time.Second, 40_000
			}
			return time.Second, 40_000
		}, total: time.Hour, after: [2]time.Duration{50 * time.Second, 80 * time.Second}, asked: []string{"drips"}},
		{name: "steady at 5 kB/s", drip: every(time.Second, 5000), total: time.Hour, after: [2]time.Duration{79 * time.Second, 81 * time.Second}, asked: []string{"drips"}},
		{name: "steady beyond the deadline", drip: every(time.Second, 5000), total: time.Minute, after: [2]time.Duration{time.Minute, time.Minute}, asked: []string{"drips"}, stayed: true,
			fails: []string{"http://drips/: not done after 1m0s", "run it again: it continues where it stopped; or put points (unpacked) into DIR/set and set MERCER_DATA=DIR"}},
		{name: "every source drips", drip: every(time.Second, 100), total: time.Hour, after: [2]time.Duration{60 * time.Second, 62 * time.Second}, asked: []string{"drips", "drips"}, stayed: true,
			fails: []string{"http://drips/: points: the server is too slow: ", "bytes/s over the last 30s, less than 4000", "put points (unpacked) into DIR/set and set MERCER_DATA=DIR"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cache := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				var asked []string
				n := &network{incoming: make(chan net.Conn), closed: make(chan struct{})}
				server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					asked = append(asked, r.Host)
					w.Header().Set("Content-Length", strconv.Itoa(len(data)))
					if r.Host == "good" {
						w.Write(data)
						return
					}
					w.(http.Flusher).Flush()
					for sent := 0; sent < len(data); {
						pause, bytes := tt.drip(sent)
						time.Sleep(pause)
						if _, err := w.Write(data[sent:min(sent+bytes, len(data))]); err != nil {
							return
						}
						if w.(http.Flusher).Flush(); r.Context().Err() != nil {
							return
						}
						sent += bytes
					}
				})}
				go server.Serve(n)
				defer func() {
					server.Close()
					time.Sleep(time.Minute) // handlers end
				}()
				limits := defaultLimits
				limits.total = tt.total
				sources := []source{webFiles{"http://drips/", ""}, webFiles{"http://good/", ""}}
				if tt.fails != nil {
					sources[1] = sources[0]
				}
				o := Options{CacheDir: cache, DataDir: filepath.Join(cache, "own"), Log: io.Discard, limits: limits, dial: n.dial}
				begun := time.Now()
				paths, err := o.get(t.Context(), dataset{name: "set", files: []file{fileOf("points", data)}, sources: sources})
				if took := time.Since(begun); took < tt.after[0] || took > tt.after[1] {
					t.Errorf("it took %v of the bubble's time, want %v", took, tt.after)
				}
				if diff := cmp.Diff(tt.asked, asked); diff != "" {
					t.Errorf("servers asked:\n%s", diff)
				}
				if tt.fails != nil {
					says(t, err, tt.fails...)
				} else if err != nil {
					t.Error(err)
				} else {
					holds(t, paths["points"], data)
				}
				if kept := strings.Contains(strings.Join(left(t, cache), " "), ".part"); kept != tt.stayed {
					t.Errorf("left in the cache: %v", left(t, cache))
				}
				if tt.name == "steady beyond the deadline" && !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%v is no missed deadline", err)
				}
			})
		})
	}
}
