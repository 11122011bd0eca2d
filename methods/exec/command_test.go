//go:build unix

package exec

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// beside is a directory with some files of a spec.
func beside(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"run.sh": 0o755, "script.py": 0o644, "model.bin": 0o644, "plain": 0o644} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), mode); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFind(t *testing.T) {
	dir := beside(t)
	sh, err := lookUp(dir, "sh")
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		words, want []string
		hashed      []string // words with a file behind them
	}{
		"program of the spec":       {[]string{"./run.sh", "a", "3"}, []string{dir + "/run.sh", "a", "3"}, []string{"./run.sh"}},
		"marked":                    {[]string{"{dir}/run.sh"}, []string{dir + "/run.sh"}, []string{"{dir}/run.sh"}},
		"interpreter in $PATH":      {[]string{"sh", "{dir}/script.py", "plain"}, []string{sh, dir + "/script.py", "plain"}, []string{"{dir}/script.py"}},
		"interpreter by its path":   {[]string{sh, "-e"}, []string{sh, "-e"}, []string{sh}},
		"file within a word":        {[]string{"sh", "--model={dir}/model.bin"}, []string{sh, "--model=" + dir + "/model.bin"}, []string{"--model={dir}/model.bin"}},
		"absolute path of a file":   {[]string{"sh", dir + "/plain"}, []string{sh, dir + "/plain"}, []string{dir + "/plain"}},
		"the directory, no file":    {[]string{"sh", "{dir}", "{dir}/.", "-c", "x.y"}, []string{sh, dir, dir + "/.", "-c", "x.y"}, nil},
		"file to be made":           {[]string{"sh", "--log={dir}/log"}, []string{sh, "--log=" + dir + "/log"}, nil},
		"command of a shell":        {[]string{"sh", "-c", "{dir}/run.sh | cat"}, []string{sh, "-c", dir + "/run.sh | cat"}, nil},
		"device by its own path":    {[]string{"sh", "/dev/null"}, []string{sh, "/dev/null"}, nil},
		"program in a subdirectory": {[]string{filepath.Join("..", filepath.Base(dir), "run.sh")}, []string{dir + "/run.sh"}, []string{filepath.Join("..", filepath.Base(dir), "run.sh")}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			command, err := Find(dir, c.words, map[string]string{"LIBRARY": "{dir}/lib"})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, command.Words); diff != "" {
				t.Error(diff)
			}
			if command.Env["LIBRARY"] != dir+"/lib" {
				t.Errorf("env %q", command.Env)
			}
			var hashed []string
			for _, f := range command.Files {
				hashed = append(hashed, f.Word)
				content, err := os.ReadFile(f.Path)
				if sum := sha256.Sum256(content); err != nil || f.SHA256 != hex.EncodeToString(sum[:]) {
					t.Errorf("%s has the hash %s, want %x, error %v", f.Word, f.SHA256, sum, err)
				}
			}
			if diff := cmp.Diff(c.hashed, hashed); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFindFails(t *testing.T) {
	dir := beside(t)
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(os.DevNull, filepath.Join(dir, "device")); err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		words []string
		says  string
	}{
		"no such program":                   {[]string{"mercer-no-such-program"}, `program "mercer-no-such-program": is not in $PATH`},
		"no such file":                      {[]string{"./none.sh"}, "there is no file " + dir + "/none.sh"},
		"no such marked file":               {[]string{"{dir}/none.sh"}, "there is no file"},
		"not executable":                    {[]string{"./script.py"}, "is not executable: chmod +x it, or put its interpreter first"},
		"a directory":                       {[]string{"{dir}"}, "program"},
		"in this directory, but not a path": {[]string{"run.sh"}, "give its path, from the spec's directory as ./program"},
		"no such script":                    {[]string{"sh", "{dir}/none.sh"}, `command word "{dir}/none.sh": there is no file ` + dir + `/none.sh; correct the name`},
		"a file as a directory":             {[]string{"sh", "{dir}/plain/none"}, `command word "{dir}/plain/none"`},
		"a pipe":                            {[]string{"sh", "{dir}/pipe"}, `"{dir}/pipe" is neither a file nor a directory, but a pipe`},
		"a pipe as the program":             {[]string{"{dir}/pipe"}, "but a pipe"},
		"a pipe within a word":              {[]string{"sh", "--model={dir}/pipe"}, "but a pipe"},
		"a device":                          {[]string{"sh", "{dir}/device"}, "but a device"},
		"script without its directory":      {[]string{"sh", "script.py"}, `write "{dir}/script.py"`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if _, err := Find(dir, c.words, nil); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want one that says %q", err, c.says)
			}
		})
	}
	if os.Getuid() == 0 {
		return // reads every file
	}
	if err := os.Chmod(filepath.Join(dir, "plain"), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(dir, []string{"sh", "{dir}/plain"}, nil); err == nil {
		t.Error("a file that cannot be read is found")
	}
}
