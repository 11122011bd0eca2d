package results

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func mustOpen(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func stored(s *Store, key string) bool {
	_, ok := s.Lookup(key)
	return ok
}

// fill makes a records file of count records and returns its path and text.
func fill(t *testing.T, dir string, count int) (string, []byte) {
	t.Helper()
	s := mustOpen(t, dir)
	for i := range count {
		if err := s.Append(sample(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, RecordsFile)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, text
}

func TestStoreReadsBackWhatItWrote(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 3)
	s := mustOpen(t, dir)
	if len(s.scan.rows) != 3 || len(s.Warnings()) != 0 {
		t.Fatalf("%d records, warnings %q", len(s.scan.rows), s.Warnings())
	}
	for i := range 3 {
		got, ok := s.Lookup(sample(i).ID)
		if diff := cmp.Diff(sample(i), got); !ok || diff != "" {
			t.Errorf("record %d (-want +got):\n%s", i, diff)
		}
	}
	if stored(s, "other") {
		t.Error("a key that was never stored is there")
	}
}

// A writer killed in the middle of a write leaves any prefix of the file. From
// each of them exactly the whole lines are read. A store goes on to the same file as
// if nothing had happened: tried are the prefixes about the end of a line, and some.
func TestStoreRecoversFromEveryPrefix(t *testing.T) {
	_, whole := fill(t, t.TempDir(), 3)
	for cut := 0; cut <= len(whole); cut++ {
		lines := bytes.Count(whole[:cut], []byte("\n"))
		torn := cut > 0 && whole[cut-1] != '\n'
		found, err := scanRows(bytes.NewReader(whole[:cut]), "f", 0)
		if err != nil || len(found.rows) != lines || (len(found.warnings) > 0) != torn {
			t.Fatalf("cut at %d: %d records, want %d; warnings %q, %v", cut, len(found.rows), lines, found.warnings, err)
		}
		if near := whole[max(0, cut-2):min(cut+2, len(whole))]; cut%50 != 0 && !bytes.Contains(near, []byte("\n")) {
			continue
		}
		dir := t.TempDir()
		path := filepath.Join(dir, RecordsFile)
		if err := os.WriteFile(path, whole[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		s := mustOpen(t, dir)
		for i := range 3 {
			if !stored(s, sample(i).ID) {
				if err := s.Append(sample(i)); err != nil {
					t.Fatal(err)
				}
			}
		}
		s.Close()
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, whole) {
			t.Fatalf("cut at %d: the file differs after resuming (%v)", cut, err)
		}
	}
}

// A broken line is skipped with a warning, wherever it is; the file keeps it.
func TestBrokenLines(t *testing.T) {
	dir := t.TempDir()
	path, whole := fill(t, dir, 2)
	broken := append(bytes.Clone(whole), string(make([]byte, 100))+"\n{\"schema\":2,\n"...)
	if err := os.WriteFile(path, append(broken, whole[:20]...), 0o644); err != nil {
		t.Fatal(err)
	}
	s := mustOpen(t, dir)
	if w := strings.Join(s.Warnings(), "\n"); len(s.scan.rows) != 2 || strings.Count(w, "line skipped") != 2 || !strings.Contains(w, ":5: the last 20 bytes are torn") {
		t.Errorf("%d records, warnings %q", len(s.scan.rows), s.Warnings())
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(got, broken) {
		t.Error("more or less than the torn end is cut off")
	}
}

func TestStoreRefusesNewerSchema(t *testing.T) {
	dir := t.TempDir()
	path, whole := fill(t, dir, 1)
	text := append(whole, `{"schema":3,"id":"x"}`+"\n"...)
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Open(dir)
	if !errors.Is(err, errSchema) || !strings.Contains(err.Error(), "records.jsonl:2: schema 3") {
		t.Errorf("error %v", err)
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(got, text) {
		t.Error("a refused file was changed")
	}
}

func TestDuplicatesLaterWins(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	failed, retry, other := sample(0), sample(0), sample(0)
	failed.Status, failed.Reason = Failed, "out of luck"
	other.Metrics = map[string]float64{"recon_h": 7}
	if err := s.Append(failed, retry); err != nil {
		t.Fatal(err)
	}
	s.Close()
	s = mustOpen(t, dir)
	if got, _ := s.Lookup("keya"); got.Status != OK || len(s.Warnings()) != 0 {
		t.Errorf("a retry: status %s, warnings %q", got.Status, s.Warnings())
	}
	if err := s.Append(other); err != nil {
		t.Fatal(err)
	}
	s.Close()
	s = mustOpen(t, dir)
	if got, _ := s.Lookup("keya"); got.Metrics["recon_h"] != 7 || len(s.scan.rows) != 1 {
		t.Errorf("the earlier record won: %+v", got)
	}
	if w := s.Warnings(); len(w) != 1 || !strings.Contains(w[0], "id keya occurs twice") {
		t.Errorf("warnings %q", w)
	}
}

// faultyFile is a file in memory on a disk with room bytes left.
type faultyFile struct {
	data                   []byte
	room                   int
	silent                 bool // a short write without an error
	failSync, failTruncate bool
}

func (f *faultyFile) Write(p []byte) (int, error) {
	n := min(len(p), f.room-len(f.data))
	f.data = append(f.data, p[:n]...)
	if n < len(p) && !f.silent {
		return n, syscall.ENOSPC
	}
	return n, nil
}

func (f *faultyFile) Truncate(size int64) error {
	if f.failTruncate {
		return syscall.EIO
	}
	f.data = f.data[:size]
	return nil
}

func (f *faultyFile) Sync() error {
	if f.failSync {
		return syscall.EIO
	}
	return nil
}

func (f *faultyFile) Close() error { return nil }

func TestAppendOnFaultyDisk(t *testing.T) {
	line, err := Encode(sample(0))
	if err != nil {
		t.Fatal(err)
	}
	room := len(line) + 1 + len(line)/2 // one record and a half
	tests := []struct {
		name   string
		file   faultyFile
		want   string
		usable bool // once there is room again
	}{
		{"disk full", faultyFile{room: room}, "no space left", true},
		{"short write without an error", faultyFile{room: room, silent: true}, "short write", true},
		{"disk full and no way back", faultyFile{room: room, failTruncate: true}, "no space left", false},
		{"fsync fails", faultyFile{room: 1 << 20, failSync: true}, "input/output error", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := tt.file
			file.failSync = false
			s := &Store{path: "records", file: &file, scan: scan{index: map[string]int{}}}
			if err := s.Append(sample(0)); err != nil {
				t.Fatal(err)
			}
			before := bytes.Clone(file.data)
			file.failSync = tt.file.failSync
			err := s.Append(sample(1), sample(2))
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "2 rows not stored") {
				t.Fatalf("error %v, want one with %q", err, tt.want)
			}
			if stored(s, sample(1).ID) || stored(s, sample(2).ID) || !stored(s, sample(0).ID) {
				t.Error("a record of the failed batch counts as stored, or an earlier one no longer does")
			}
			if !file.failTruncate && !bytes.Equal(file.data, before) {
				t.Errorf("%d bytes are left of the failed batch", len(file.data)-len(before))
			}
			file.room, file.failSync, file.silent = 1<<20, false, false
			if err := s.Append(sample(1)); (err == nil) != tt.usable {
				t.Errorf("afterwards: error %v, want usable=%v", err, tt.usable)
			}
		})
	}
}

func TestAppendRefusesWholeBatch(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	bad := sample(1)
	bad.ID = ""
	if err := s.Append(sample(0), bad); err == nil {
		t.Fatal("no error")
	}
	if len(s.scan.rows) != 0 {
		t.Error("a part of the batch was stored")
	}
	s.Close()
	if err := s.Append(sample(0)); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("append after close: %v", err)
	}
}

func TestAppendConcurrently(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if err := s.Append(sample(i)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s.Close()
	if s = mustOpen(t, dir); len(s.scan.rows) != 20 || len(s.Warnings()) != 0 {
		t.Errorf("%d records, warnings %q", len(s.scan.rows), s.Warnings())
	}
}

func TestLockIsExclusive(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	_, err := Open(dir)
	if !errors.Is(err, ErrLocked) {
		t.Errorf("second Open: %v", err)
	}
	s.Close()
	mustOpen(t, dir)
}

// A process that is killed while it has the directory open does not lock it
// for ever.
func TestLockOfKilledProcess(t *testing.T) {
	if dir := os.Getenv("RESULTS_LOCK_DIR"); dir != "" {
		s, err := Open(dir)
		if err == nil {
			err = s.Append(sample(0))
		}
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("locked")
		time.Sleep(time.Hour) // without cgo the runtime ends a process that waits for nothing
	}
	dir := t.TempDir()
	child := exec.Command(os.Args[0], "-test.run=^TestLockOfKilledProcess$")
	child.Env = append(os.Environ(), "RESULTS_LOCK_DIR="+dir)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 6)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); !errors.Is(err, ErrLocked) {
		t.Errorf("while the other process lives: %v", err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	child.Wait()
	s := mustOpen(t, dir)
	if len(s.scan.rows) != 1 || len(s.Warnings()) != 0 {
		t.Errorf("%d records, warnings %q", len(s.scan.rows), s.Warnings())
	}
}

// Where the file system has no locks a run goes on, and says that nothing keeps others out.
func TestNoLocks(t *testing.T) {
	_, warning, err := acquireBy(t.TempDir(), func(*os.File) error { return syscall.ENOSYS })
	if err != nil || !strings.Contains(warning, "no lock can be taken here") {
		t.Errorf("%q, %v", warning, err)
	}
}

// Every bit of a file is flipped, one at a time: no record is read that was not
// written, at most two are lost (the flip of a line feed), and a warning names the
// line of what is.
func TestFlippedBits(t *testing.T) {
	_, whole := fill(t, t.TempDir(), 3)
	written := map[string]Row{}
	for i := range 3 {
		written[sample(i).ID] = sample(i)
	}
	flipped := make([]byte, len(whole))
	for at := range whole {
		line := bytes.Count(whole[:at], []byte("\n")) + 1
		for bit := range 8 {
			copy(flipped, whole)
			flipped[at] ^= 1 << bit
			found, err := scanRows(bytes.NewReader(flipped), "records", 0)
			if err != nil {
				t.Fatalf("bit %d of byte %d: %v", bit, at, err)
			}
			for _, r := range found.rows {
				if diff := cmp.Diff(written[r.ID], r); diff != "" {
					t.Fatalf("bit %d of byte %d: a record that was not written (-written +read):\n%s", bit, at, diff)
				}
			}
			lost := 3 - len(found.rows)
			most := 1
			if whole[at] == '\n' {
				most = 2
			}
			warned := strings.Join(found.warnings, "\n")
			if lost > most || lost < 0 {
				t.Fatalf("bit %d of byte %d: %d records lost; warnings %q", bit, at, lost, found.warnings)
			}
			if lost > 0 && !strings.Contains(warned, fmt.Sprintf("records:%d:", line)) || lost == 0 && warned != "" {
				t.Fatalf("bit %d of byte %d, in line %d: %d records lost; warnings %q", bit, at, line, lost, found.warnings)
			}
		}
	}
}
