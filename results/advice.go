package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Advise adds to an error of the file system what to do about it. The folder is what
// is written to, in words, which the flags choose; again is how to go on once the
// cause is gone.
func Advise(err error, folder, flags, again string) error {
	advice := ""
	switch {
	case err == nil, errors.Is(err, ErrLocked), errors.Is(err, errSchema): // they say it
		return err
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		advice = "the disk is full, or a quota reached: free some space; " + again
	case errors.Is(err, syscall.EFBIG):
		advice = "a file may not grow further (ulimit -f): raise the limit; " + again
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		advice = "the " + folder + " cannot be written: make it writable, or choose another one" + flags
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EISDIR), errors.Is(err, fs.ErrExist):
		advice = "a file stands where a directory is needed, or the other way round: move it away, or choose another " + folder + flags + "; " + again
	case errors.As(err, new(*fs.PathError)), errors.As(err, new(*os.SyscallError)):
		advice = "repair the disk or the directory; " + again
	default:
		return err
	}
	return fmt.Errorf("%w\n%s", err, advice)
}
