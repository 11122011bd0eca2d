package process

import "golang.org/x/sys/unix"

// Continued says whether a child of this process was stopped (SIGSTOP, SIGTSTP) and
// continued (SIGCONT) since this was asked last, or since its start. The kernel notes
// it before the child runs again and keeps it until it is asked for, as long as the
// child lives. So if a child sends something and this is asked on its receipt, no stop
// before the sending is missed, however busy the machine is. Only this process may ask:
// nobody else is told, and a child that another process waits for is none.
func Continued(pid int) bool {
	var state unix.Siginfo
	err := unix.Waitid(unix.P_PID, pid, &state, unix.WCONTINUED|unix.WNOHANG, nil)
	return err == nil && state.Signo != 0
}
