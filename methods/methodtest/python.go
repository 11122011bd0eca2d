package methodtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"testing"
)

// Python runs a program with job as JSON on its input and decodes the JSON that
// it prints into answer: a peer to compare with. Without a python3 that has the
// program's modules the test is skipped, and says that the Debian package needs
// has to be installed.
func Python(t *testing.T, needs, program string, job, answer any) {
	t.Helper()
	input, err := json.Marshal(job)
	if err != nil {
		t.Fatal(err)
	}
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		command := exec.Command(python, "-c", program)
		var stderr bytes.Buffer
		command.Stdin, command.Stderr = bytes.NewReader(input), &stderr
		output, err := command.Output()
		switch {
		case errors.Is(err, exec.ErrNotFound), bytes.Contains(stderr.Bytes(), []byte("ModuleNotFoundError")):
			continue
		case err != nil:
			t.Fatalf("%v: %s", err, &stderr)
		}
		if err := json.Unmarshal(output, answer); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Skipf("SKIPPED: no python3 has the modules; install %s to compare with them", needs)
}
