package exec

import (
	"bytes"
	"encoding/json"
	"fmt"

	"mercer/internal/kernel"
)

// Protocol is the version of what passes between mercer and a program.
const Protocol = 2

// readyLine is what a program prints when it waits for a request.
const readyLine = `{"ready":2}`

// Request is what a program is told: one line of JSON.
type Request struct {
	Protocol int         `json:"protocol"`
	Model    string      `json:"model"`          // subspace, embedding or clustering
	Dir      string      `json:"dir"`            // the scratch directory, in which the program was started
	X        string      `json:"x"`              // file of the n×dim points
	Gram     string      `json:"gram,omitempty"` // file of the n×n kernel matrix, if asked for
	N        int         `json:"n"`
	Dim      int         `json:"dim"`
	M        int         `json:"m,omitempty"` // sizes of the cell that the program uses
	D        int         `json:"d,omitempty"`
	Ell      int         `json:"ell,omitempty"`
	K        int         `json:"k,omitempty"`
	Kernel   kernel.Form `json:"kernel"`
	Seed     int32       `json:"seed"` // not negative
	Threads  int         `json:"threads"`
}

func (r Request) line() ([]byte, error) {
	r.Protocol = Protocol
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // formulas have < and >
	if err := encoder.Encode(r); err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	return b.Bytes(), nil
}
