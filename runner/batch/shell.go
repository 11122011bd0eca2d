package batch

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Ranges writes rising numbers in few words: 0-3,7.
func Ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		part := strconv.Itoa(numbers[i])
		if j > i {
			part += "-" + strconv.Itoa(numbers[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ",")
}

// Exported is the part of this process's environment that says where data and
// libraries are, with absolute paths, each as NAME=value.
func Exported() []string {
	var env []string
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, "MERCER_") || name == "MERCER_TASK_BASE" { // that is of a job
			continue
		}
		if name == "MERCER_DATA" || name == "MERCER_CACHE" {
			if path, err := filepath.Abs(value); err == nil && value != "" {
				variable = name + "=" + path
			}
		}
		env = append(env, variable)
	}
	slices.Sort(env)
	return env
}
