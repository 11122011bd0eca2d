package slurm

import (
	"fmt"
	"strings"

	"mercer/internal/plain"
)

// script is a batch script.
type script struct {
	Comment string   // first lines, for who reads it
	Options []string // of sbatch, such as "--mem=2G"; values with blanks are quoted
	Ignore  string   // a signal, such as "USR1", that the shell and its setup do not hear; the command may
	Setup   string   // shell lines that run first, such as "module load openblas"
	Env     []string // NAME=value, exported
	Command []string // what the script becomes, word by word; a raw word is not quoted
}

// raw is a word of a command that the shell expands, such as "$SLURM_ARRAY_TASK_ID".
// It must quote itself.
func raw(word string) string { return "\x00" + word }

// text is the script.
func (s script) text() string {
	var b strings.Builder
	b.WriteString("#!/bin/bash\n")
	for line := range strings.SplitSeq(strings.TrimSpace(s.Comment), "\n") {
		fmt.Fprintln(&b, strings.TrimSpace("# "+line))
	}
	for _, option := range s.Options {
		name, value, has := strings.Cut(option, "=")
		if has && strings.ContainsAny(value, " \t'\"#") {
			option = name + "=" + plain.Quote(value)
		}
		fmt.Fprintln(&b, "#SBATCH", option)
	}
	if s.Ignore != "" {
		fmt.Fprintln(&b, "trap ''", s.Ignore)
	}
	for _, variable := range s.Env {
		name, value, _ := strings.Cut(variable, "=")
		fmt.Fprintf(&b, "export %s=%s\n", name, plain.Quote(value))
	}
	if setup := strings.TrimSpace(s.Setup); setup != "" {
		fmt.Fprintln(&b, setup)
	}
	fmt.Fprintln(&b, "exec", line(s.Command))
	return b.String()
}

// line is a command as a shell reads it.
func line(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if raw, ok := strings.CutPrefix(w, "\x00"); ok {
			quoted[i] = raw
		} else {
			quoted[i] = plain.Quote(w)
		}
	}
	return strings.Join(quoted, " ")
}
