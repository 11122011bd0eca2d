package runner

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMemoryOfControlGroups(t *testing.T) {
	const meminfo = "MemTotal:       8388608 kB\nMemFree:        1024 kB\n"
	for name, tt := range map[string]struct {
		files map[string]string
		want  uint64
	}{
		"nothing known":        {nil, 0},
		"no group":             {map[string]string{"proc/meminfo": meminfo}, 8 << 30},
		"version 2, unlimited": {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/job\n", "sys/fs/cgroup/job/memory.max": "max\n"}, 8 << 30},
		"version 2, own": {map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/slurm/job_7/step_0\n",
			"sys/fs/cgroup/slurm/job_7/step_0/memory.max": "1073741824\n", "sys/fs/cgroup/slurm/job_7/memory.max": "max\n",
		}, 1 << 30},
		"version 2, an ancestor": {map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/slurm/job_7/step_0\n",
			"sys/fs/cgroup/slurm/job_7/step_0/memory.max": "4294967296\n", "sys/fs/cgroup/slurm/memory.max": "2147483648\n",
		}, 2 << 30},
		"version 2 in a container": {map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/system.slice/docker-0123.scope\n", "sys/fs/cgroup/memory.max": "1073741824\n",
		}, 1 << 30},
		"version 1": {map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "5:cpu,cpuacct:/\n4:memory:/user/job\n0::/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":          "9223372036854771712\n",
			"sys/fs/cgroup/memory/user/memory.limit_in_bytes":     "2147483648\n",
			"sys/fs/cgroup/memory/user/job/memory.limit_in_bytes": "9223372036854771712\n",
		}, 2 << 30},
		"another controller's group": {map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "4:pids:/job\n", "sys/fs/cgroup/memory/job/memory.limit_in_bytes": "1024\n",
		}, 8 << 30},
		"more than the machine has": {map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1099511627776\n"}, 8 << 30},
		"nonsense":                  {map[string]string{"proc/meminfo": "MemTotal: much\n", "proc/self/cgroup": "what\n0::/../..\n", "sys/fs/cgroup/memory.max": "-1\n"}, 0},
	} {
		root := t.TempDir()
		for file, text := range tt.files {
			file = filepath.Join(root, file)
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got := memoryUnder(root); got != tt.want {
			t.Errorf("%s: %d bytes, want %d", name, got, tt.want)
		}
	}
}
