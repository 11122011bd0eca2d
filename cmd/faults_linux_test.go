package cmd

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
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
	const full = `no space left on device\nthe disk is full, or a quota reached: free some space; nothing that was stored is lost: then run the same command to go on\n$`
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
	const advice = `\nthe run directory cannot be written: make it writable, or choose another one \(--out, --results\)\n$`
	f.run(exitFailed, `read-only file system`+advice, "run", "faults.yaml", "--out", "disk/run", "--quiet")
	remount(0)
	f.goesOn("disk/run")
	remount(syscall.MS_RDONLY)
	f.run(exitFailed, `read-only file system`+advice, "run", "faults.yaml", "--out", "disk/run", "--quiet")
	f.run(exitOK, `^$`, "check", "disk/run")
	f.run(exitFailed, `read-only file system\nmake the folder writable, or choose another one for the report`, "report", "disk/run")
	remount(0)
	f.goesOn("disk/run")
}

// TestOtherUser runs as a user who may read a run of root's and not write to it.
func TestOtherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: only root can act as another user")
	}
	f := newFaulted(t, faultSpec)
	program := filepath.Join(f.dir, "program") // where others may run it
	if err := errors.Join(os.Link(os.Args[0], program), os.Chmod(filepath.Dir(f.dir), 0o755), os.Chmod(f.dir, 0o755)); err != nil {
		text, readErr := os.ReadFile(os.Args[0])
		if err := errors.Join(readErr, os.WriteFile(program, text, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	for _, out := range []string{"undisturbed", "new"} {
		c := mercerCommand(f.dir, "run", "faults.yaml", "--out", out, "--quiet")
		c.Path = program
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		f.expect(c, exitFailed, `permission denied\nthe run directory cannot be written: make it writable, or choose another one`)
	}
	f.goesOn("undisturbed")
}
