package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"mercer/results"
)

// advise adds to an error of the run directory what to do about it.
func advise(err error) error {
	const lost = "nothing that was stored is lost: then run the same command to continue"
	advice := ""
	switch {
	case err == nil, errors.Is(err, results.ErrLocked), errors.Is(err, results.ErrSchema): // they say it
		return err
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		advice = "the disk is full, or a quota reached: free some space; " + lost
	case errors.Is(err, syscall.EFBIG):
		advice = "a file may not grow further (ulimit -f): raise the limit; " + lost
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		advice = "the run directory cannot be written: make it writable, or choose another one (--out, --results)"
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EISDIR), errors.Is(err, fs.ErrExist):
		advice = "a file stands where a directory is needed, or the other way round: move it away and run the same command to continue, or choose another run directory (--out, --results)"
	case errors.As(err, new(*fs.PathError)), errors.As(err, new(*os.SyscallError)):
		advice = "repair the disk or the directory; " + lost
	default:
		return err
	}
	return fmt.Errorf("%w\n%s", err, advice)
}
