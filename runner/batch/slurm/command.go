package slurm

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// command runs one of Slurm's commands and returns what it printed. An error
// holds what the command said.
func command(ctx context.Context, name string, args ...string) (string, error) {
	return commandIn(ctx, environment(nil), name, args...)
}

func commandIn(ctx context.Context, env []string, name string, args ...string) (string, error) {
	if err := oneCluster(); err != nil {
		return "", err
	}
	c := exec.CommandContext(ctx, name, args...)
	c.Env = env
	var out, complaints bytes.Buffer
	c.Stdout, c.Stderr = &out, &complaints
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", line(append([]string{name}, args...)), err, strings.TrimSpace(complaints.String()))
	}
	return out.String(), nil
}

// sbatch gives a job to sbatch and returns its id. What the script says stands:
// variables of the environment (SBATCH_TIMELIMIT, say) that sbatch would put before it
// are left out. It fails where the job has gone to another cluster, or may have.
func sbatch(ctx context.Context, args []string) (string, error) {
	var options []string
	if script := slices.IndexFunc(args, func(arg string) bool { return !strings.HasPrefix(arg, "-") }); script >= 0 {
		var err error
		if options, err = scriptOptions(args[script]); err != nil {
			return "", err
		}
	}
	text, err := commandIn(ctx, environment(options), "sbatch", append([]string{"--parsable"}, args...)...)
	if err != nil {
		return "", err
	}
	id, cluster, other := strings.Cut(strings.TrimSpace(text), ";")
	if _, err := strconv.ParseUint(id, 10, 64); err != nil {
		return "", fmt.Errorf("sbatch answers %q, which is no job id", text)
	}
	if other {
		own, err := configured(ctx, "ClusterName")
		switch {
		case err != nil:
			return "", fmt.Errorf("sbatch has accepted job %s for the cluster %s, and it is not known whether that is this one: %w; it may run: squeue --jobs=%s says whether it is here", id, cluster, err, id)
		case own != cluster:
			return "", fmt.Errorf("sbatch has sent job %s to the cluster %s, where it would be lost sight of: scancel --clusters=%s %s, and submit on a node of that cluster", id, cluster, cluster, id)
		}
	}
	return id, nil
}

// configured is a value of the cluster's configuration.
func configured(ctx context.Context, wanted string) (string, error) {
	text, err := command(ctx, "scontrol", "show", "config")
	if err != nil {
		return "", err
	}
	for line := range strings.SplitSeq(text, "\n") {
		if name, value, ok := strings.Cut(line, "="); ok && strings.TrimSpace(name) == wanted {
			return strings.TrimSpace(value), nil
		}
	}
	return "", fmt.Errorf("slurm: scontrol show config names no %s", wanted)
}
