package slurm

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mercer/runner/batch"
)

// array is a set of tasks that one script does; the script is given the offset of
// its array as its first argument, and its number in it as $SLURM_ARRAY_TASK_ID.
type array struct {
	Name        string   // of the jobs
	Dir         string   // that they start in, absolute
	Script      string   // path
	Tasks       []int    // numbers, rising
	MaxParallel int      // most that run at once, 0 for no limit
	Args        []string // further arguments of sbatch, which go before all others
}

// submission is one call of sbatch.
type submission struct {
	Args   []string // of sbatch
	Offset int
	Tasks  []int // their numbers without the offset taken off
}

// submissions divides an array into job arrays of a cluster whose task numbers are
// below maxSize. The limit on tasks that run at once is shared out among them, one
// each at least.
func (a array) submissions(maxSize int) []submission {
	var chunks []submission
	for _, task := range a.Tasks {
		offset := task / maxSize * maxSize
		if len(chunks) == 0 || chunks[len(chunks)-1].Offset != offset {
			chunks = append(chunks, submission{Offset: offset})
		}
		last := &chunks[len(chunks)-1]
		last.Tasks = append(last.Tasks, task)
	}
	for i := range chunks {
		c := &chunks[i]
		numbers := slices.Clone(c.Tasks)
		for i := range numbers {
			numbers[i] -= c.Offset
		}
		text := batch.Ranges(numbers)
		if a.MaxParallel > 0 {
			share := a.MaxParallel / len(chunks)
			if i < a.MaxParallel%len(chunks) {
				share++
			}
			text += "%" + strconv.Itoa(max(1, share))
		}
		c.Args = append(slices.Clone(a.Args), "--job-name="+a.Name, "--chdir="+a.Dir, "--comment="+comment(c.Offset),
			"--array="+text, a.Script, strconv.Itoa(c.Offset))
	}
	return chunks
}

const commentPrefix = "offset "

func comment(offset int) string { return commentPrefix + strconv.Itoa(offset) }

// defaultMaxArraySize is what Slurm takes for MaxArraySize unless told otherwise.
const defaultMaxArraySize = 1001

// maxArraySize is one more than the largest task number that the cluster takes.
func maxArraySize(ctx context.Context) (int, error) {
	text, err := configured(ctx, "MaxArraySize")
	if err != nil {
		return 0, err
	}
	size, err := strconv.Atoi(text)
	if err != nil || size < 2 {
		return 0, fmt.Errorf("slurm: MaxArraySize is %q: this cluster takes no job arrays; ask who runs it", text)
	}
	return size, nil
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
