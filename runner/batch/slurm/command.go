package slurm

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// command runs one of Slurm's commands and returns what it printed. An error
// holds what the command said.
func command(ctx context.Context, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Env = environment()
	var out, complaints bytes.Buffer
	c.Stdout, c.Stderr = &out, &complaints
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", line(append([]string{name}, args...)), err, strings.TrimSpace(complaints.String()))
	}
	return out.String(), nil
}

// sbatch gives a job to sbatch and returns its id.
func sbatch(ctx context.Context, args []string) (string, error) {
	text, err := command(ctx, "sbatch", append([]string{"--parsable"}, args...)...)
	if err != nil {
		return "", err
	}
	id, _, _ := strings.Cut(strings.TrimSpace(text), ";") // its cluster
	if _, err := strconv.ParseUint(id, 10, 64); err != nil {
		return "", fmt.Errorf("sbatch answers %q, which is no job id", text)
	}
	return id, nil
}
