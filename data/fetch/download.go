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
	"syscall"
	"time"
)

const maxResumes = 5

// withDownload downloads an address of at most limit bytes and has use read the
// file. If what a resumed download gives cannot be used, it is done once more
// from the start. The .part is left only where a later call can resume it.
func (j *job) withDownload(ctx context.Context, addr string, limit int64, use func(path string) error) error {
	part := j.partPath(addr)
	for again := true; ; again = false {
		resumed, err := j.download(ctx, addr, part, limit)
		if err == nil {
			err = use(part)
			useless := err != nil && ctx.Err() == nil && !unwritable(err)
			if err == nil || useless {
				os.Remove(part)
			}
			if useless && resumed && again {
				j.logf("%s: the resumed download is of no use (%v): again from the start", addr, err)
				continue
			}
		}
		if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
			os.Remove(part)
		}
		return err
	}
}

// partPath is the address's own file for unfinished downloads.
func (j *job) partPath(addr string) string {
	sum := sha256.Sum256([]byte(addr))
	return filepath.Join(j.dir, path.Base(addr)+"."+hex.EncodeToString(sum[:4])+".mercer.part")
}

// download completes the .part, and resumes it after a cut as long as bytes
// come. resumed tells that bytes of an earlier connection are part of it.
func (j *job) download(ctx context.Context, addr, part string, limit int64) (resumed bool, err error) {
	client := j.client()
	defer client.CloseIdleConnections()
	for try := 0; ; try++ {
		from := sizeOf(part)
		if from > limit {
			from = 0
		}
		kept, err := j.once(ctx, client, addr, part, from, limit)
		resumed = kept && from > 0
		if err == nil || ctx.Err() != nil || unwritable(err) {
			return resumed, err
		}
		slow := errors.As(err, new(*slowError))
		if now := sizeOf(part); slow || now <= from || try == maxResumes {
			if now == 0 {
				os.Remove(part)
			}
			return resumed, err
		}
		j.logf("%s: %v after %s; resuming", addr, err, megabytes(sizeOf(part)))
		select {
		case <-time.After(j.limits.retry):
		case <-ctx.Done():
			return resumed, ctx.Err()
		}
	}
}

// once is one request from the given offset; kept tells that what was before the
// offset is still there.
func (j *job) once(ctx context.Context, client *http.Client, addr, part string, from, limit int64) (kept bool, err error) {
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
	switch resp.StatusCode {
	case http.StatusOK:
		from = 0
	case http.StatusPartialContent:
		if _, err := fmt.Sscanf(resp.Header.Get("Content-Range"), "bytes %d-%d/", &first, &last); err != nil || first != from {
			os.Remove(part)
			return false, fmt.Errorf("the server resumed at another place than asked: %q", resp.Header.Get("Content-Range"))
		}
	case http.StatusRequestedRangeNotSatisfiable:
		if _, err := fmt.Sscanf(resp.Header.Get("Content-Range"), "bytes */%d", &total); err == nil && total == from {
			return true, nil // it was complete
		}
		os.Remove(part)
		return false, errors.New("the unfinished download does not fit the server's file; it was dropped")
	default:
		return true, errors.New(resp.Status)
	}
	if resp.ContentLength > limit-from {
		return true, fmt.Errorf("the server offers %s, more than the file can have", megabytes(from+resp.ContentLength))
	}
	return from > 0, j.receive(cancel, resp, part, from, limit)
}

// receive appends the body to the .part at the offset.
func (j *job) receive(cancel context.CancelCauseFunc, resp *http.Response, part string, from, limit int64) error {
	out, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return &storeError{err}
	}
	defer out.Close()
	if info, err := out.Stat(); err == nil && info.Mode().IsRegular() {
		if err := out.Truncate(from); err != nil {
			return &storeError{err}
		}
		if _, err := out.Seek(from, io.SeekStart); err != nil {
			return &storeError{err}
		}
	}
	silence := fmt.Errorf("the server sent nothing for %v", j.limits.stall)
	watch := time.AfterFunc(j.limits.stall, func() { cancel(silence) })
	defer watch.Stop()
	body := &progress{r: resp.Body, j: j, what: path.Base(resp.Request.URL.Path), done: from, total: from + resp.ContentLength, watch: watch, since: time.Now(), next: time.Now().Add(2 * time.Second)}
	n, err := io.Copy(writer{out}, io.LimitReader(body, limit-from+1))
	if cause := context.Cause(resp.Request.Context()); err != nil && errors.Is(cause, silence) {
		return silence
	}
	if err == nil && from+n > limit {
		err = fmt.Errorf("the server sends more than the %s that the file can have", megabytes(limit))
		out.Truncate(0)
	}
	if cerr := out.Close(); err == nil && cerr != nil {
		err = &storeError{cerr}
	}
	return err
}

// progress resets the watch at each byte, fails where too few come, and logs every 2
// seconds.
type progress struct {
	r           io.Reader
	j           *job
	what        string
	done, total int64
	watch       *time.Timer
	since       time.Time // begin of the window
	got         int64     // in it
	next        time.Time
}

func (p *progress) Read(b []byte) (int, error) {
	n, err := p.r.Read(b)
	p.done += int64(n)
	if n > 0 {
		p.watch.Reset(p.j.limits.stall)
	}
	now := time.Now()
	p.got += int64(n)
	if window := now.Sub(p.since); window >= p.j.limits.window {
		if rate := int64(float64(p.got) / window.Seconds()); rate < p.j.limits.rate && err == nil {
			return n, &slowError{rate, p.j.limits}
		}
		p.since, p.got = now, 0
	}
	if now.After(p.next) {
		p.next = now.Add(2 * time.Second)
		of := ""
		if p.total > p.done {
			of = " of " + megabytes(p.total)
		}
		p.j.logf("%s: %s%s", p.what, megabytes(p.done), of)
	}
	return n, err
}

// client waits for no silent peer and follows no redirect from https to http.
func (j *job) client() *http.Client {
	dial := j.dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: j.limits.connect}).DialContext
	}
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           dial,
			TLSHandshakeTimeout:   j.limits.connect,
			ResponseHeaderTimeout: j.limits.header,
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
