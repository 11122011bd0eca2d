package runner

import (
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"mercer/internal/process"
)

// memoryUnder is what this process may use, in bytes: the least of the machine's
// memory and the limits of its control group and of all groups that this lies in,
// of either version; 0 if nothing is known. root is where /proc and /sys are.
func memoryUnder(root string) uint64 {
	least := uint64(0)
	take := func(limit uint64, err error) {
		if err == nil && limit > 0 && (least == 0 || limit < least) {
			least = limit
		}
	}
	if kib, _, ok := strings.Cut(process.Field(filepath.Join(root, "proc/meminfo"), "MemTotal"), " "); ok {
		total, err := strconv.ParseUint(kib, 10, 64)
		take(total<<10, err)
	}
	for _, file := range limitFiles(root) {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // no such group here, or no limit of this kind
		}
		take(strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)) // "max" is none
	}
	return least
}

// limitFiles are where limits of this process's control group, and of those that it lies in,
// may be. Inside a container the path may be that outside of it: the group is then the mount
// itself, which is looked at last.
func limitFiles(root string) []string {
	text, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		text = []byte("0::/\n")
	}
	var files []string
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		file := map[string]string{"": "sys/fs/cgroup/GROUP/memory.max", "memory": "sys/fs/cgroup/memory/GROUP/memory.limit_in_bytes"}
		if len(parts) < 3 || file[parts[1]] == "" {
			continue
		}
		for at := path.Clean("/" + parts[2]); ; at = path.Dir(at) {
			files = append(files, filepath.Join(root, strings.Replace(file[parts[1]], "GROUP", at, 1)))
			if at == "/" {
				break
			}
		}
	}
	return files
}
