package exec

import (
	"bytes"
	"encoding/json"
	"fmt"

	"mercer/internal/kernel"
)

// Protocol is the version of what passes between mercer and a program.
const Protocol = 2

// aliveLine is what a program may print while it computes: see Command.Silence.
const aliveLine = `{"alive":2}`

// readyLine is what a program prints when it waits for a request.
const readyLine = `{"ready":2}`

// Request is what a program is told: one line of JSON.
type Request struct {
	Protocol int         `json:"protocol"`
	Model    string      `json:"model"`          // subspace, embedding, clustering or regression
	Dir      string      `json:"dir"`            // the scratch directory, in which the program was started
	X        string      `json:"x"`              // file of the n×dim points
	Y        string      `json:"y,omitempty"`    // file of the n×1 responses, of a regression
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

// Call asks a program what the estimate of its last fit makes of other points: one line of
// JSON.
type Call struct {
	Protocol int    `json:"protocol"`
	Call     string `json:"call"` // map, assign or predict
	Dir      string `json:"dir"`
	X        string `json:"x"` // file of the n×dim points
	N        int    `json:"n"`
	Dim      int    `json:"dim"`
}

// lineOf writes a request or a call.
func lineOf(message any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // formulas have < and >
	if err := encoder.Encode(message); err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	return b.Bytes(), nil
}
