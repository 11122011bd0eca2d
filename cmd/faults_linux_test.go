//go:build system

package cmd

import (
	"bytes"
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

// sparseNPY writes an .npy file of a gigabyte or more of zeros, which take no room.
func (f *faulted) sparseNPY(name, descr, fortran, shape string, size int64) {
	f.t.Helper()
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, fortran, shape)
	f.write(name, fmt.Sprintf("\x93NUMPY\x01\x00\x76\x00%-117s\n", dict))
	if err := os.Truncate(filepath.Join(f.dir, name), 128+size); err != nil {
		f.t.Skipf("SKIPPED: no sparse file of %d bytes here: %v", size, err)
	}
}

// TestSignalWhileReading: SIGTERM ends mercer plan and mercer run while they read a
// terabyte of numbers. Nothing is written.
func TestSignalWhileReading(t *testing.T) {
	f := &faulted{t: t, dir: t.TempDir()}
	f.sparseNPY("long.npy", "<f8", "False", "(1073741824, 128)", 1<<40)
	f.write("hostile.yaml", fmt.Sprintf(hostileSpec, "npy", "long.npy"))
	for _, command := range []string{"plan", "run"} {
		c := mercerCommand(f.dir, command, "hostile.yaml")
		var stderr bytes.Buffer
		c.Stderr = &stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		f.opened(c.Process.Pid, "long.npy")
		_ = c.Process.Signal(syscall.SIGTERM)
		deaf := time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() })
		_ = c.Wait()
		deaf.Stop()
		if code := c.ProcessState.ExitCode(); code != exitInterrupted || !strings.Contains(stderr.String(), "stopped; to continue, give the same command again") {
			t.Errorf("mercer %s: exit code %d, want %d\n%s", command, code, exitInterrupted, &stderr)
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
	// in Fortran order bytes become numbers of 8 bytes, which there is room for by --memory alone
	f.sparseNPY("x.npy", "|i1", "True", "(1024, 1048576)", 1<<30)
	f.write("hostile.yaml", fmt.Sprintf(hostileSpec, "npy", "x.npy"))
	c := exec.Command("bash", append([]string{"-c", `ulimit -v 2500000; "$0" "$@"; exit $?`}, mercerCommand(f.dir, "plan", "hostile.yaml", "--memory", "20GiB").Args...)...)
	c.Dir, c.Env = f.dir, append(os.Environ(), asMercer+"=1", "MERCER_BLAS=gonum")
	f.expect(c, 128+int(syscall.SIGABRT), `fatal error: .*out of memory`)
	if cores, err := filepath.Glob(filepath.Join(f.dir, "core*")); err != nil || len(cores) > 0 {
		t.Errorf("it leaves %v, %v", cores, err)
	}
}
