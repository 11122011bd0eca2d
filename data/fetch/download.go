package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"sync/atomic"
	"time"

	"mercer/internal/regular"
)

const mostResumes = 5

var errSlow = errors.New("the server is too slow")

// withDownload downloads an address of at most limit bytes into a .part, and has use read it.
// After a cut it goes on as long as bytes come. If what a resumed download gives cannot be
// used, it is done once more from the start. The .part is left only where a later call can
// resume it.
func (j *job) withDownload(ctx context.Context, addr string, limit int64, use func(part *os.File) error) error {
	client, part := j.client(), j.partPath(addr)
	defer client.CloseIdleConnections()
	for try := 0; ; try++ {
		from := sizeOf(part)
		if from > limit {
			from = 0
		}
		resumed, err := j.request(ctx, client, addr, part, from, limit)
		now := sizeOf(part)
		switch {
		case err == nil:
			if err = j.usePart(ctx, part, use); err == nil || !resumed || sizeOf(part) > 0 {
				return err
			}
			j.logf("%s: the resumed download is of no use (%v): again from the start", addr, err)
		case full(err) || now == 0:
			os.Remove(part)
			return err
		case ctx.Err() != nil || j.unwritable(err) || errors.Is(err, errSlow) || now <= from || try == mostResumes:
			return err
		default:
			j.logf("%s: %v after %s; resuming", addr, err, megabytes(now))
			time.Sleep(j.options.limits.retry)
		}
	}
}

// usePart has use read a .part, which stays only where nothing is wrong with it.
func (j *job) usePart(ctx context.Context, part string, use func(part *os.File) error) error {
	in, _, err := regular.Open(part)
	if err != nil {
		return err
	}
	defer in.Close()
	err = use(in)
	if err == nil || full(err) || ctx.Err() == nil && !j.unwritable(err) {
		os.Remove(part)
	}
	return err
}

// partPath is the address's own file for unfinished downloads.
func (j *job) partPath(addr string) string {
	sum := sha256.Sum256([]byte(addr))
	return filepath.Join(j.dir, path.Base(addr)+"."+hex.EncodeToString(sum[:4])+".mercer.part")
}

// request is one request from the given offset; kept tells that what was before the offset is
// part of the file.
func (j *job) request(ctx context.Context, client *http.Client, addr, part string, from, limit int64) (kept bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, addr, nil)
	if err != nil {
		return true, err
	}
	if from > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	resp, err := client.Do(req)
	if err != nil {
		return true, err
	}
	defer resp.Body.Close()
	var first, last, total int64
	content := resp.Header.Get("Content-Range")
	switch resp.StatusCode {
	case http.StatusOK:
		from = 0
	case http.StatusPartialContent:
		if _, err := fmt.Sscanf(content, "bytes %d-%d/", &first, &last); err != nil || first != from {
			os.Remove(part)
			return false, fmt.Errorf("the server resumed at another place than asked: %q", content)
		}
	case http.StatusRequestedRangeNotSatisfiable:
		if _, err := fmt.Sscanf(content, "bytes */%d", &total); err == nil && total == from {
			return from > 0, nil // it was complete
		}
		os.Remove(part)
		return false, errors.New("the unfinished download does not fit the server's file; it was dropped")
	default:
		return true, errors.New(resp.Status)
	}
	if resp.ContentLength > limit-from {
		return true, fmt.Errorf("the server offers %s, more than the file can have", megabytes(from+resp.ContentLength))
	}
	out, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return from > 0, err
	}
	defer out.Close()
	if info, err := out.Stat(); err == nil && info.Mode().IsRegular() {
		_, seek := out.Seek(from, io.SeekStart)
		if err := errors.Join(out.Truncate(from), seek); err != nil {
			return from > 0, err
		}
	}
	body := &progress{r: io.LimitReader(resp.Body, limit-from+1), say: func(got int64) {
		j.logf("%s: %s of %s", path.Base(req.URL.Path), megabytes(from+got), megabytes(from+resp.ContentLength))
	}}
	go body.watch(ctx, cancel, j.options.limits)
	n, err := io.Copy(out, body)
	switch {
	case err != nil && errors.Is(context.Cause(ctx), errSlow):
		err = context.Cause(ctx)
	case err == nil && from+n > limit:
		err = fmt.Errorf("the server sends more than the %s that the file can have", megabytes(limit))
		out.Truncate(0)
	case err == nil:
		err = out.Close()
	}
	return from > 0, err
}

// progress counts the bytes of a body, and says how many there are every 2 seconds.
type progress struct {
	r    io.Reader
	got  atomic.Int64
	say  func(got int64)
	said time.Time
}

func (p *progress) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	got := p.got.Add(int64(n))
	if p.said.IsZero() {
		p.said = time.Now()
	} else if time.Since(p.said) > 2*time.Second {
		p.said = time.Now()
		p.say(got)
	}
	return n, err
}

// watch ends a request where too few bytes come in a window.
func (p *progress) watch(ctx context.Context, cancel context.CancelCauseFunc, l limits) {
	windows := time.NewTicker(l.window)
	defer windows.Stop()
	before := int64(0)
	for {
		select {
		case <-ctx.Done():
			return
		case <-windows.C:
		}
		got := p.got.Load()
		if rate := int64(float64(got-before) / l.window.Seconds()); rate < l.rate {
			cancel(fmt.Errorf("%w: %d bytes/s over the last %v, less than %d", errSlow, rate, l.window, l.rate))
			return
		}
		before = got
	}
}

// client waits for no silent peer and follows no redirect from https to http.
func (j *job) client() *http.Client {
	dial := j.options.dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: j.options.limits.connect}).DialContext
	}
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           dial,
			TLSHandshakeTimeout:   j.options.limits.connect,
			ResponseHeaderTimeout: j.options.limits.header,
			DisableCompression:    true, // a .gz must arrive as it is
			ForceAttemptHTTP2:     true,
		},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if via[0].URL.Scheme == "https" && req.URL.Scheme != "https" {
				return fmt.Errorf("redirected from https to %s", req.URL.Redacted())
			}
			if len(via) >= 10 {
				return errors.New("more than 10 redirects")
			}
			return nil
		},
	}
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
