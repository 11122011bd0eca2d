package cmd

import (
	"os"
	"runtime"
	"runtime/debug"
)

// version is the module's version and commit, as far as the binary knows them.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "devel"
	}
	return info.Main.Version
}

// workerCommand starts this program as a worker process: the very file that runs,
// where the system can name it, since the one of its name may have been replaced.
func workerCommand() ([]string, error) {
	if runtime.GOOS == "linux" {
		return []string{"/proc/self/exe", "worker"}, nil
	}
	self, err := os.Executable()
	return []string{self, "worker"}, err
}
