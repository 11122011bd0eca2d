package results

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"mercer/internal/plain"
)

// instant brings an RFC 3339 time into a form that sorts as text; what is no
// time sorts first.
func instant(started string) string {
	t, err := time.Parse(time.RFC3339, started)
	if err != nil {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.000000000Z")
}

// String is the machine in few words: "CPU, 8 cores, 15.5 GiB memory, linux/amd64".
func (m Machine) String() string {
	parts := []string{m.CPU, "", "", strings.Trim(m.OS+"/"+m.Arch, "/")}
	if m.Cores > 0 {
		parts[1] = plain.Count(m.Cores, "core")
	}
	if m.Memory > 0 {
		parts[2] = fmt.Sprintf("%.1f GiB memory", float64(m.Memory)/(1<<30))
	}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), ", ")
}
