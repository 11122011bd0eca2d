package slurm

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var memory = regexp.MustCompile(`^([0-9]{1,12})([KMGTkmgt]?)$`)

// parseMemory reads an amount as sbatch's --mem does, in bytes: a whole number of
// K, M, G or T, of M if none is named. 0 is all of a node, and no limit here.
func parseMemory(text string) (int64, error) {
	m := memory.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("%q is no memory as sbatch reads it: write a whole number of K, M, G or T, such as 8G", text)
	}
	v, err := strconv.ParseInt(m[1], 10, 64)
	shift := map[string]int{"": 20, "K": 10, "k": 10, "M": 20, "m": 20, "G": 30, "g": 30, "T": 40, "t": 40}[m[2]]
	if err != nil || v > 1<<(62-shift) {
		return 0, fmt.Errorf("%q is more memory than any machine has", text)
	}
	return v << shift, nil
}

// formatMemory writes whole MiB as sbatch's --mem reads them.
func formatMemory(bytes int64) string { return fmt.Sprintf("%dM", bytes>>20) }

// formatTime writes a duration as sbatch reads it, D-HH:MM:SS, rounded up to a minute, which
// is how Slurm counts.
func formatTime(d time.Duration) string {
	minutes := int64((d + time.Minute - 1) / time.Minute)
	days, hours := minutes/(24*60), minutes/60%24
	return fmt.Sprintf("%d-%02d:%02d:00", days, hours, minutes%60)
}

// parseTime reads a time limit in any form that sbatch takes: minutes,
// minutes:seconds, hours:minutes:seconds, days-hours, days-hours:minutes and
// days-hours:minutes:seconds.
func parseTime(text string) (time.Duration, error) {
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
