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

// peer is a running program that does tasks when asked.
type peer struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	about   string
}

// startPeer starts scikit-learn on the points of a folder.
func startPeer(python string, threads int, folder string) (*peer, error) {
	c := exec.Command(python, "-c", pythonProgram, folder)
	count := fmt.Sprint(threads)
	c.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS="+count, "OMP_NUM_THREADS="+count, "MKL_NUM_THREADS="+count)
	c.Stderr = os.Stderr
	in, inErr := c.StdinPipe()
	out, outErr := c.StdoutPipe()
	if err := errors.Join(inErr, outErr, c.Start()); err != nil {
		return nil, err
	}
	p := &peer{command: c, in: in, out: bufio.NewReader(out)}
	var err error
	if p.about, err = p.out.ReadString('\n'); err != nil {
		return nil, fmt.Errorf("%s has no scikit-learn or no Faiss: install them (Debian: python3-sklearn, python3-faiss), or name a Python that has it by -python", python)
	}
	p.about = strings.TrimSpace(p.about)
	return p, nil
}

// ask has the peer do one task and returns its seconds.
func (p *peer) ask(request string) (seconds float64, check []float64, err error) {
	if _, err := fmt.Fprintln(p.in, request); err != nil {
		return 0, nil, err
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return 0, nil, err
	}
	var answer struct {
		Seconds float64
		Check   []float64
	}
	err = json.Unmarshal(line, &answer)
	return answer.Seconds, answer.Check, err
}

func (p *peer) stop() error { return errors.Join(p.in.Close(), p.command.Wait()) }
