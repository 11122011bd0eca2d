package slurm

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Script is a batch script.
type Script struct {
	Comment string   // first lines, for who reads it
	Options []string // of sbatch, such as "--mem=2G"; values with blanks are quoted
	Ignore  string   // a signal, such as "USR1", that the shell and its setup do not hear; the command may
	Setup   string   // shell lines that run first, such as "module load openblas"
	Env     []string // NAME=value, exported
	Command []string // what the script becomes, word by word; a Raw word is not quoted
}

// Raw is a word of a command that the shell expands, such as "$SLURM_ARRAY_TASK_ID".
// It must quote itself.
func Raw(word string) string { return "\x00" + word }

// Text is the script.
func (s Script) Text() string {
	var b strings.Builder
	b.WriteString("#!/bin/bash\n")
	for line := range strings.SplitSeq(strings.TrimSpace(s.Comment), "\n") {
		fmt.Fprintln(&b, strings.TrimSpace("# "+line))
	}
	for _, option := range s.Options {
		name, value, has := strings.Cut(option, "=")
		if has && strings.ContainsAny(value, " \t'\"#") {
			option = name + "=" + Quote(value)
		}
		fmt.Fprintln(&b, "#SBATCH", option)
	}
	if s.Ignore != "" {
		fmt.Fprintln(&b, "trap ''", s.Ignore)
	}
	for _, variable := range s.Env {
		name, value, _ := strings.Cut(variable, "=")
		fmt.Fprintf(&b, "export %s=%s\n", name, Quote(value))
	}
	if setup := strings.TrimSpace(s.Setup); setup != "" {
		fmt.Fprintln(&b, setup)
	}
	fmt.Fprintln(&b, "exec", Line(s.Command))
	return b.String()
}

// Line is a command as a shell reads it.
func Line(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if raw, ok := strings.CutPrefix(w, "\x00"); ok {
			quoted[i] = raw
		} else {
			quoted[i] = Quote(w)
		}
	}
	return strings.Join(quoted, " ")
}

// Quote quotes a word for a shell where it needs to be.
func Quote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,+%@", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Time is a duration as sbatch reads it, D-HH:MM:SS, rounded up to a minute, which
// is how Slurm counts.
func Time(d time.Duration) string {
	minutes := int64((d + time.Minute - 1) / time.Minute)
	days, hours := minutes/(24*60), minutes/60%24
	return fmt.Sprintf("%d-%02d:%02d:00", days, hours, minutes%60)
}

// ParseTime reads a time limit in any form that sbatch takes: minutes,
// minutes:seconds, hours:minutes:seconds, days-hours, days-hours:minutes and
// days-hours:minutes:seconds.
func ParseTime(text string) (time.Duration, error) {
	bad := fmt.Errorf("%q is no time limit; write minutes, hours:minutes:seconds or days-hours:minutes:seconds, such as 90 or 1-12:00:00", text)
	days, clock, hasDays := strings.Cut(text, "-")
	if !hasDays {
		days, clock = "0", text
	}
	fields := append([]string{days}, strings.Split(clock, ":")...)
	values := make([]time.Duration, len(fields))
	for i, field := range fields {
		v, err := strconv.ParseUint(field, 10, 20)
		if err != nil {
			return 0, bad
		}
		values[i] = time.Duration(v)
	}
	total := values[0] * 24 * time.Hour
	units := []time.Duration{time.Hour, time.Minute, time.Second}
	switch {
	case hasDays && len(values) <= 4:
	case !hasDays && len(values) == 2:
		units = []time.Duration{time.Minute}
	case !hasDays && len(values) == 3:
		units = []time.Duration{time.Minute, time.Second}
	case !hasDays && len(values) == 4:
	default:
		return 0, bad
	}
	for i, v := range values[1:] {
		total += v * units[i]
	}
	if total <= 0 {
		return 0, bad
	}
	return total, nil
}
