package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	_ "embed"
)

//go:embed python_peer.py
var pythonProgram string

//go:embed kernlab_peer.R
var rProgram string

// peer is a running program that does tasks when asked.
type peer struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	about   string
}

// peers are those that could be started, by the name of what runs them.
type peers map[string]*peer

// startPeers starts all peers on the points of a folder, and says of those that are not
// there how to get them.
func startPeers(python string, threads int, folder string) (peers, error) {
	python, err := findPython(python)
	started := peers{}
	if err != nil {
		fmt.Printf("scikit-learn is not compared: %v\ninstall it (Debian: python3-sklearn), or name a Python that has it by -python\n", err)
	} else if started["python"], err = startPeer(threads, python, "-c", pythonProgram, folder); err != nil {
		return nil, err
	}
	if err := exec.Command("Rscript", "-e", "library(kernlab)").Run(); err != nil {
		fmt.Printf("kernlab is not compared: %v\ninstall it (Debian: r-cran-kernlab)\n", err)
		return started, nil
	}
	started["R"], err = startPeer(threads, "Rscript", "-e", rProgram, folder)
	return started, err
}

// findPython is the first Python that has scikit-learn.
func findPython(named string) (string, error) {
	candidates := []string{named}
	if named == "" {
		candidates = []string{"python3", "/usr/bin/python3"}
	}
	for _, python := range candidates {
		if exec.Command(python, "-c", "import sklearn").Run() == nil {
			return python, nil
		}
	}
	return "", fmt.Errorf("no scikit-learn in %s", strings.Join(candidates, ", "))
}

func startPeer(threads int, program string, arguments ...string) (*peer, error) {
	c := exec.Command(program, arguments...)
	count := fmt.Sprint(threads)
	c.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS="+count, "OMP_NUM_THREADS="+count, "MKL_NUM_THREADS="+count)
	c.Stderr = os.Stderr
	in, inErr := c.StdinPipe()
	out, outErr := c.StdoutPipe()
	if err := errors.Join(inErr, outErr, c.Start()); err != nil {
		return nil, err
	}
	p := &peer{command: c, in: in, out: bufio.NewReader(out)}
	line, err := p.out.ReadString('\n')
	if err != nil {
		return nil, errors.New(program + " does not start: " + strings.TrimSpace(line))
	}
	var hello struct{ Version string }
	err = json.Unmarshal([]byte(line), &hello)
	p.about = hello.Version
	return p, err
}

// ask has the peer do one task and returns its seconds.
func (p *peer) ask(request string) (float64, []float64, error) {
	if _, err := fmt.Fprintln(p.in, request); err != nil {
		return 0, nil, err
	}
	line, err := p.out.ReadString('\n')
	if err != nil {
		return 0, nil, err
	}
	var answer struct {
		Seconds float64
		Check   []float64
		Error   string
	}
	if err := json.Unmarshal([]byte(line), &answer); err != nil {
		return 0, nil, err
	}
	if answer.Error != "" {
		return 0, nil, errors.New(answer.Error)
	}
	return answer.Seconds, answer.Check, nil
}

func (all peers) stop() (err error) {
	for _, p := range all {
		err = errors.Join(err, p.in.Close(), p.command.Wait())
	}
	return err
}
