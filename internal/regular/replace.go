package regular

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// Replace writes a file in one step, by way of a synced temporary one and a rename: a reader,
// and whoever comes after a crash, sees the old text or the new. Where it fails the old file
// stands and the temporary one is gone.
func Replace(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return SyncDir(filepath.Dir(path))
}

// SyncDir makes a created or renamed entry of a folder durable.
func SyncDir(dir string) error {
	if runtime.GOOS == "windows" { // folders cannot be synced there
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
