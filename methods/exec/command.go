package exec

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"mercer/internal/regular"
)

// dirMark in a word of a command stands for the directory of the spec.
const dirMark = "{dir}"

// Command is a program that was found, and its processes, which serve one fit after another.
type Command struct {
	Words      []string          // the program by its full path, and its arguments
	Env        map[string]string // added to the variables of this process
	Timeout    time.Duration     // of a fit, 0 for none
	StartLimit time.Duration     // for the program to be ready, 0 for none
	Files      []File            // regular files that the words name

	mu   sync.Mutex
	idle []*Program // that run and serve no fit
}

// File is a file that a command names, as it was when the command was found.
type File struct {
	Word   string // of the command, as the spec has it
	Path   string
	SHA256 string
	info   fs.FileInfo
}

// Find resolves the words of a command and the values of env: {dir} is replaced
// by dir, and the first word is the program: a name looked up in $PATH, or a path,
// which if relative starts from dir. The files among the words are read for their
// SHA-256: each that has {dir} in it or is an absolute path, and the program
// itself unless it was found in $PATH. Nothing is run.
//
// It fails where the program is not there or not executable, where a file cannot
// be read, where a word that begins with {dir}/ names nothing that is there, where a
// path in a word with {dir} is neither a file nor a directory, and where a later
// word names a file of dir without {dir}: programs run in another directory.
func Find(dir string, words []string, env map[string]string) (*Command, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	c := &Command{Env: map[string]string{}, StartLimit: defaultStart}
	for name, value := range env {
		c.Env[name] = strings.ReplaceAll(value, dirMark, dir)
	}
	for i, word := range words {
		full := strings.ReplaceAll(word, dirMark, dir)
		path := pathIn(word, dir)
		if i == 0 {
			if full, err = lookUp(dir, full); err != nil {
				return nil, fmt.Errorf("program %q: %w", word, err)
			}
			path = full
			if !hasSeparator(word) {
				path = "" // the system's own, such as python3: no file of this experiment
			}
		} else if path == "" && filepath.Ext(word) != "" && isFile(filepath.Join(dir, word)) {
			return nil, fmt.Errorf("command word %q names a file beside the spec, but programs run in a scratch directory of their own: write %q", word, dirMark+"/"+filepath.ToSlash(word))
		}
		if strings.Contains(word, dirMark) {
			if err := checkMarked(word, path); err != nil {
				return nil, err
			}
		}
		c.Words = append(c.Words, full)
		if path == "" || !isFile(path) {
			continue
		}
		file := File{Word: word, Path: path}
		if err := file.Read(); err != nil {
			return nil, err
		}
		c.Files = append(c.Files, file)
	}
	return c, nil
}

// checkMarked refuses a word with {dir} that names a pipe or a device, whose content
// no key can hold, and one that begins with {dir}/ and names nothing. A word with
// spaces may be the command of a shell.
func checkMarked(word, path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular() && !info.IsDir():
		return fmt.Errorf("command word %q is neither a file nor a directory, but a %s", word, regular.Kind(info.Mode()))
	case err == nil || !strings.HasPrefix(word, dirMark+"/") || strings.ContainsAny(word, " \t\n"):
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("command word %q: there is no file %s; correct the name, or for a file that the program creates, pass its directory", word, path)
	}
	return fmt.Errorf("command word %q: %w", word, err)
}

// pathIn is the path that a word of a command holds, empty for none: --model={dir}/a.bin
// holds one, too.
func pathIn(word, dir string) string {
	if _, after, found := strings.Cut(word, dirMark); found {
		return dir + after
	}
	if filepath.IsAbs(word) {
		return word
	}
	return ""
}

func hasSeparator(word string) bool { return strings.ContainsAny(word, `/`+string(filepath.Separator)) }

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// lookUp is the full path of a program.
func lookUp(dir, word string) (string, error) {
	named := word
	if hasSeparator(word) && !filepath.IsAbs(word) {
		word = filepath.Join(dir, word)
	}
	path, err := exec.LookPath(word)
	switch {
	case err == nil:
		return filepath.Abs(path)
	case errors.Is(err, exec.ErrNotFound) && !hasSeparator(named):
		return "", errors.New("is not in $PATH; give its path, from the spec's directory as ./program or {dir}/program")
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no file %s", word)
	case errors.Is(err, fs.ErrPermission) && isFile(word):
		return "", errors.New(`is not executable: chmod +x it, or put its interpreter first, as in [python3, "{dir}/program.py"]`)
	}
	return "", err
}

// Read takes the hash of the file at the path.
func (f *File) Read() error {
	r, info, err := regular.Open(f.Path)
	if err != nil {
		return err
	}
	defer r.Close()
	f.info = info
	hash := sha256.New()
	if _, err := io.Copy(hash, r); err != nil {
		return err
	}
	f.SHA256 = hex.EncodeToString(hash.Sum(nil))
	return nil
}

// unchanged fails where a file is no longer what it was when the command was
// found, so that no record gets the key of another program.
func (c *Command) unchanged() error {
	for _, f := range c.Files {
		now := File{Path: f.Path}
		info, err := os.Stat(f.Path)
		if err == nil && info.Size() == f.info.Size() && info.ModTime().Equal(f.info.ModTime()) {
			continue
		}
		if err == nil {
			err = now.Read()
		}
		if err != nil {
			return fmt.Errorf("file of the command: %w", err)
		}
		if now.SHA256 != f.SHA256 {
			return fmt.Errorf("%s has changed since this run began; start it again, and its new results get records of their own", f.Word)
		}
	}
	return nil
}
