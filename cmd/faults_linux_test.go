//go:build system

package cmd

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// small mounts a file system of so much memory; only root may.
func (f *faulted) small(name, size string) (remount func(flags uintptr)) {
	f.t.Helper()
	dir := filepath.Join(f.dir, name)
	if err := os.Mkdir(dir, 0o777); err != nil {
		f.t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		f.t.Skipf("SKIPPED: no file system of %s can be mounted (%v): run these tests as root, with the capability to mount", size, err)
	}
	f.t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			f.t.Error(err)
		}
	})
	return func(flags uintptr) {
		f.t.Helper()
		if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|flags, "size="+size); err != nil {
			f.t.Fatal(err)
		}
	}
}

// TestFullFileSystem runs on a disk that is too small, twice, and goes on after
// something was deleted there.
func TestFullFileSystem(t *testing.T) {
	f := newFaulted(t, faultSpec)
	f.small("disk", "100k")
	filler := filepath.Join(f.dir, "disk", "filler")
	if err := os.WriteFile(filler, make([]byte, 48<<10), 0o666); err != nil {
		t.Fatal(err)
	}
	const full = `no space left on device\n$`
	f.run(exitFailed, full, "run", "faults.yaml", "--out", "disk/run", "--quiet")
	f.run(exitFailed, full, "run", "faults.yaml", "--out", "disk/run", "--quiet")
	if text, err := mercerCommand(f.dir, "export", "disk/run").Output(); err != nil || len(text) >= len(f.want) {
		t.Errorf("%d bytes of export from the full disk, %v; a whole run has %d", len(text), err, len(f.want))
	}
	// Only what a disk holds beside the run is deleted, and the run moves where there is room.
	if err := errors.Join(os.Remove(filler), os.CopyFS(filepath.Join(f.dir, "roomy"), os.DirFS(filepath.Join(f.dir, "disk", "run")))); err != nil {
		t.Fatal(err)
	}
	f.goesOn("roomy")
}

// TestReadOnly runs in a directory of a read-only file system, and in one that only
// another user may write to.
func TestReadOnly(t *testing.T) {
	f := newFaulted(t, faultSpec)
	remount := f.small("disk", "4m")
	remount(syscall.MS_RDONLY)
	f.run(exitFailed, `read-only file system\n`, "run", "faults.yaml", "--out", "disk/run", "--quiet")
	remount(0)
	f.goesOn("disk/run")
	remount(syscall.MS_RDONLY)
	f.run(exitFailed, `read-only file system\n`, "run", "faults.yaml", "--out", "disk/run", "--quiet")
	f.run(exitOK, `^$`, "check", "disk/run")
	f.run(exitFailed, `read-only file system\n`, "report", "disk/run")
	remount(0)
	f.goesOn("disk/run")
}

const hostileSpec = `
name: hostile
seed: 1
repeats: 1
datasets: [{id: x, use: %s, path: %s, population: {held_out: 5}}]
kernels: [{id: rbf, use: gaussian, sigma: 1, form: sigma-squared}]
grid: {n: [10], m: [5], ell: [1]}
methods: [{id: nystrom, use: nystrom}]
measure: [recon_h]
`

// gigabyte writes a gzipped file of a head and a gigabyte of a text: a gzip member of a
// megabyte, again and again.
func gigabyte(path, head, text string) error {
	member := func(text string) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write([]byte(text)); err != nil {
			panic(err) // a buffer takes everything
		}
		if err := w.Close(); err != nil {
			panic(err)
		}
		return b.Bytes()
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(member(head)); err != nil {
		return err
	}
	megabyte := member(strings.Repeat(text, 1<<20/len(text)))
	for range 1 << 10 {
		if _, err := f.Write(megabyte); err != nil {
			return err
		}
	}
	return f.Close()
}

// idxHead is the header of an IDX file of n×d bytes.
func idxHead(n, d uint32) string {
	return string(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte{0, 0, 8, 2}, n), d))
}

// TestSignalWhileReading: SIGTERM ends mercer plan and mercer run while they read a
// terabyte of numbers, or gzipped text that goes on and on. Nothing is written.
func TestSignalWhileReading(t *testing.T) {
	f := &faulted{t: t, dir: t.TempDir()}
	dict := "{'descr': '<f8', 'fortran_order': False, 'shape': (1073741824, 128), }"
	dict += strings.Repeat(" ", 117-len(dict)) + "\n"
	f.write("long.npy", "\x93NUMPY\x01\x00\x76\x00"+dict)
	if err := os.Truncate(filepath.Join(f.dir, "long.npy"), 128+1<<40); err != nil {
		t.Skipf("SKIPPED: no sparse file of a terabyte here: %v", err)
	}
	if err := gigabyte(filepath.Join(f.dir, "long.svm"), "1 1:1\n", strings.Repeat(" ", 1<<20)); err != nil {
		t.Fatal(err)
	}
	for range 4 { // 16 GB of blanks, which take no memory: half a minute or more
		text, err := os.ReadFile(filepath.Join(f.dir, "long.svm"))
		if err != nil {
			t.Fatal(err)
		}
		f.write("long.svm", string(text)+string(text))
	}
	for _, use := range [][2]string{{"npy", "long.npy"}, {"libsvm", "long.svm"}} {
		f.write("hostile.yaml", fmt.Sprintf(hostileSpec, use[0], use[1]))
		for _, command := range []string{"plan", "run"} {
			c := mercerCommand(f.dir, command, "hostile.yaml")
			var stderr bytes.Buffer
			c.Stderr = &stderr
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			f.opened(c.Process.Pid, use[1])
			_ = c.Process.Signal(syscall.SIGTERM)
			deaf := time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() })
			_ = c.Wait()
			deaf.Stop()
			if code := c.ProcessState.ExitCode(); code != exitInterrupted || !strings.Contains(stderr.String(), "stopped; to continue, give the same command again") {
				t.Errorf("mercer %s on %s: exit code %d, want %d\n%s", command, use[1], code, exitInterrupted, &stderr)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(f.dir, "results")); err == nil {
		t.Error("a run that never began has left a folder")
	}
}

// opened waits until a process has a file open.
func (f *faulted) opened(pid int, name string) {
	f.t.Helper()
	for range 3000 {
		open, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		for _, link := range open {
			if target, err := os.Readlink(link); err == nil && filepath.Base(target) == name {
				return
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	f.t.Fatalf("process %d has not opened %s within 30 s", pid, name)
}

// TestAbort: what Go's runtime cannot recover from ends by a signal, so that exit code
// 2 says that the spec, the command line or the data are wrong, and nothing else.
func TestAbort(t *testing.T) {
	f := &faulted{t: t, dir: t.TempDir()}
	// signed bytes become numbers of 8 bytes, which there is room for by --memory alone
	if err := gigabyte(filepath.Join(f.dir, "x.idx.gz"), strings.Replace(idxHead(1<<10, 1<<20), "\x08", "\x09", 1), "\x00"); err != nil {
		t.Fatal(err)
	}
	f.write("hostile.yaml", fmt.Sprintf(hostileSpec, "idx", "x.idx.gz"))
	c := exec.Command("bash", append([]string{"-c", `ulimit -v 2500000; "$0" "$@"; exit $?`}, mercerCommand(f.dir, "plan", "hostile.yaml", "--memory", "16GiB").Args...)...)
	c.Dir, c.Env = f.dir, append(os.Environ(), asMercer+"=1", "MERCER_BLAS=gonum")
	f.expect(c, 128+int(syscall.SIGABRT), `fatal error: .*out of memory`)
	if cores, err := filepath.Glob(filepath.Join(f.dir, "core*")); err != nil || len(cores) > 0 {
		t.Errorf("it leaves %v, %v", cores, err)
	}
}
