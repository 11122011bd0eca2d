//go:build system && linux

package cmd

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// cluster is a private Slurm for tests: a controller and some node
// daemons, with an authentication daemon of their own, that listen on this
// machine's loopback alone and keep everything in one temporary directory. Only processes
// that it started, or that its nodes did, are ever stopped.
type cluster struct {
	t     testing.TB
	dir   string
	conf  string
	nodes []string

	mu      sync.Mutex
	daemons map[string]*exec.Cmd // by name: munged, slurmctld, node names
}

// patience is how long a daemon, or a change of a node, may take on a busy machine.
const patience = 60 * time.Second

// startCluster starts a cluster of some nodes that pretend to have so many processors, and
// sets SLURM_CONF for this process and what it starts. It stops when the test ends.
func startCluster(t *testing.T, nodes, processors int) *cluster {
	t.Helper()
	installSlurm(t)
	dir, err := os.MkdirTemp("/tmp", "slurm") // short: sockets lie in it
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{t: t, dir: dir, conf: filepath.Join(dir, "slurm.conf"), daemons: map[string]*exec.Cmd{}}
	for i := range nodes {
		c.nodes = append(c.nodes, fmt.Sprintf("n%d", i+1))
	}
	for _, variable := range os.Environ() { // of a job that the test itself may be in
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "SLURM") || strings.HasPrefix(name, "SBATCH_") {
			os.Unsetenv(name)
		}
	}
	os.Setenv("SLURM_CONF", c.conf) // for the process, so that the test may run beside others
	c.configure(processors)
	t.Cleanup(c.stop)
	c.start("munged", "munged", "--foreground", "--force", "--socket="+filepath.Join(dir, "munge.socket"), "--key-file="+filepath.Join(dir, "munge.key"),
		"--pid-file="+filepath.Join(dir, "munge.pid"), "--log-file="+filepath.Join(dir, "munge.log"), "--seed-file="+filepath.Join(dir, "munge.seed"))
	c.await("the authentication daemon", func() bool {
		_, err := os.Stat(filepath.Join(dir, "munge.socket"))
		return err == nil
	})
	c.startController()
	for _, node := range c.nodes {
		c.startNode(node)
	}
	c.await("idle nodes", func() bool {
		text, _ := c.try("sinfo", "--noheader", "--Node", "--format=%T")
		return strings.Count(text, "idle\n") == nodes
	})
	return c
}

// installSlurm installs the Debian packages slurm-wlm and munge where they are missing and
// it may, and else skips the test and says why.
func installSlurm(t *testing.T) {
	t.Helper()
	os.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin:/sbin")
	missing := func() (names []string) {
		for _, name := range []string{"munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "sinfo"} {
			if _, err := exec.LookPath(name); err != nil {
				names = append(names, name)
			}
		}
		return names
	}
	names := missing()
	if len(names) == 0 {
		return
	}
	if os.Getuid() != 0 {
		t.Skipf("SKIPPED, no test on a real Slurm: %v are missing; install the packages slurm-wlm and munge", names)
	}
	if _, err := exec.LookPath("apt-get"); err != nil {
		t.Skipf("SKIPPED, no test on a real Slurm: %v are missing, and there is no apt-get to install them by", names)
	}
	t.Logf("installing slurm-wlm and munge: %v are missing", names)
	// Daemons for the whole machine are not wanted.
	const policy = "/usr/sbin/policy-rc.d"
	if file, err := os.OpenFile(policy, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755); err == nil {
		fmt.Fprint(file, "#!/bin/sh\nexit 101\n")
		file.Close()
		defer os.Remove(policy)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	for _, args := range [][]string{{"update"}, {"install", "--yes", "--no-install-recommends", "slurm-wlm", "munge"}} {
		apt := exec.CommandContext(ctx, "apt-get", args...)
		apt.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		if text, err := apt.CombinedOutput(); err != nil {
			t.Skipf("SKIPPED, no test on a real Slurm: apt-get %v: %v\n%s", args, err, text)
		}
	}
	if names := missing(); len(names) > 0 {
		t.Skipf("SKIPPED, no test on a real Slurm: %v are missing after the installation", names)
	}
}

// configure writes the key and the configuration.
func (c *cluster) configure(processors int) {
	c.t.Helper()
	who, err := user.Current()
	if err != nil {
		c.t.Fatal(err)
	}
	for _, folder := range []string{"state", "spool"} {
		if err := os.Mkdir(filepath.Join(c.dir, folder), 0o755); err != nil {
			c.t.Fatal(err)
		}
	}
	if err := os.Chmod(c.dir, 0o755); err != nil {
		c.t.Fatal(err)
	}
	key := []byte(strings.Repeat("no secret: it listens on loopback. ", 8))
	if err := os.WriteFile(filepath.Join(c.dir, "munge.key"), key, 0o400); err != nil {
		c.t.Fatal(err)
	}
	ports := c.freePorts(len(c.nodes) + 1)
	lines := []string{
		"ClusterName=test", "SlurmctldHost=localhost", fmt.Sprint("SlurmctldPort=", ports[0]),
		"SlurmUser=" + who.Username, "SlurmdUser=" + who.Username,
		"CommunicationParameters=NoCtldInAddrAny,NoInAddrAny", // loopback alone
		"AuthType=auth/munge", "CredType=cred/munge", "AuthInfo=socket=" + c.dir + "/munge.socket",
		"StateSaveLocation=" + c.dir + "/state", "SlurmdSpoolDir=" + c.dir + "/spool/%n",
		"SlurmctldPidFile=" + c.dir + "/slurmctld.pid", "SlurmdPidFile=" + c.dir + "/%n.pid",
		"SlurmctldLogFile=" + c.dir + "/slurmctld.log", "SlurmdLogFile=" + c.dir + "/%n.log",
		"ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", // no control groups
		"JobAcctGatherType=jobacct_gather/none", "AccountingStorageType=accounting_storage/none",
		"SwitchType=switch/none", "MpiDefault=none", "MailProg=/bin/true",
		"SelectType=select/cons_tres", "SelectTypeParameters=CR_CPU",
		"SchedulerType=sched/backfill", "SchedulerParameters=bf_interval=2,sched_interval=2,batch_sched_delay=0",
		"SlurmdParameters=config_overrides", "ReturnToService=2", "KillWait=2", "MaxArraySize=101",
	}
	for i, node := range c.nodes {
		if err := os.Mkdir(filepath.Join(c.dir, "spool", node), 0o755); err != nil {
			c.t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("NodeName=%s NodeHostname=localhost NodeAddr=127.0.0.1 Port=%d CPUs=%d RealMemory=65536 State=UNKNOWN", node, ports[i+1], processors))
	}
	lines = append(lines, "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP", "")
	if err := os.WriteFile(c.conf, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

// freePorts are ports of loopback that nobody listens on now.
func (c *cluster) freePorts(count int) []int {
	var ports []int
	for range count {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			c.t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// start starts a daemon in the foreground, as a child that dies with the test.
func (c *cluster) start(name, program string, args ...string) {
	c.t.Helper()
	daemon := exec.Command(program, args...)
	daemon.Env = append(os.Environ(), "SLURMD_NODENAME="+name) // passed on to what runs a node's jobs
	daemon.Dir = c.dir
	out, err := os.OpenFile(filepath.Join(c.dir, name+".out"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		c.t.Fatal(err)
	}
	defer out.Close()
	daemon.Stdout, daemon.Stderr = out, out
	daemon.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	if err := daemon.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.daemons[name] = daemon
}

// end ends a daemon by a signal, by SIGKILL if that does not do.
func (c *cluster) end(name string, signal syscall.Signal) {
	c.mu.Lock()
	daemon := c.daemons[name]
	delete(c.daemons, name)
	c.mu.Unlock()
	if daemon == nil {
		return
	}
	daemon.Process.Signal(signal)
	timer := time.AfterFunc(10*time.Second, func() { daemon.Process.Kill() })
	daemon.Wait()
	timer.Stop()
}

// startController starts the controller, which goes on with the jobs that it knew.
func (c *cluster) startController() {
	c.t.Helper()
	c.start("slurmctld", "slurmctld", "-D", "-f", c.conf)
	c.await("the controller", func() bool {
		text, err := c.try("scontrol", "ping")
		return err == nil && strings.Contains(text, "UP")
	})
}

// startNode starts the daemon of a node.
func (c *cluster) startNode(node string) {
	c.t.Helper()
	c.start(node, "slurmd", "-D", "-f", c.conf, "-N", node)
}

// try runs one of Slurm's commands.
func (c *cluster) try(name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var out bytes.Buffer
	command := exec.CommandContext(ctx, name, args...)
	command.Stdout, command.Stderr = &out, &out
	err := command.Run()
	return out.String(), err
}

// processes are those of jobs that carry this cluster's configuration in their environment.
func (c *cluster) processes() (found []int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		c.t.Fatal(err)
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		text, err := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		program, _ := os.Readlink(filepath.Join("/proc", e.Name(), "exe"))
		if err == nil && bytes.Contains(text, []byte("SLURM_CONF="+c.conf+"\x00")) && (bytes.Contains(text, []byte("\x00SLURM_JOB_ID=")) || filepath.Base(program) == "slurmstepd") {
			found = append(found, pid)
		}
	}
	return found
}

// await waits for something, at most as long as is patient.
func (c *cluster) await(what string, done func() bool) {
	c.t.Helper()
	for end := time.Now().Add(patience); !done(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			c.t.Fatalf("waited in vain for %s\n%s", what, c.logs())
		}
	}
}

// logs are the ends of the daemons' logs.
func (c *cluster) logs() string {
	var b strings.Builder
	files, _ := filepath.Glob(filepath.Join(c.dir, "*.log"))
	for _, file := range files {
		text, _ := os.ReadFile(file)
		fmt.Fprintf(&b, "--- %s\n%s\n", file, text[max(0, len(text)-2000):])
	}
	return b.String()
}

// stop ends jobs, daemons and what is left of either.
func (c *cluster) stop() {
	c.try("scancel", "--state=PENDING")
	c.try("scancel", "--state=RUNNING")
	for end := time.Now().Add(5 * time.Second); len(c.processes()) > 0 && time.Now().Before(end); {
		time.Sleep(50 * time.Millisecond)
	}
	for _, node := range c.nodes {
		c.end(node, syscall.SIGTERM)
	}
	c.end("slurmctld", syscall.SIGTERM)
	for _, pid := range c.processes() {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	c.end("munged", syscall.SIGTERM)
	if c.t.Failed() {
		c.t.Log(c.logs())
	}
	os.RemoveAll(c.dir)
}
