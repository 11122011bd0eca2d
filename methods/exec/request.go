package exec

import (
	"bytes"
	"encoding/json"
)

// Protocol is the version of what passes between mercer and a program.
const Protocol = 2

// readyLine is what a program prints when it waits for a request.
const readyLine = `{"ready":2}`

// Request is what a program is asked, one line of JSON: to fit a model to points, or what
// the estimate of its last fit makes of other points (a call).
type Request struct {
	Protocol int    `json:"protocol"`
	Model    string `json:"model,omitempty"` // of a fit: subspace, embedding, clustering or regression
	Call     string `json:"call,omitempty"`  // in place of it: map, assign, predict, landmarks, kernel, measure or data
	Dir      string `json:"dir"`             // the scratch directory, in which the program was started
	X        string `json:"x,omitempty"`     // file of the n×dim points
	Y        string `json:"y,omitempty"`     // file of the n×q responses, of a regression; of a kernel, of the other points
	Gram     string `json:"gram,omitempty"`  // file of the n×n kernel matrix, if asked for
	Part     string `json:"part,omitempty"`  // of data: sample or population
	// Arrays are the files of a measure, such as sample.X.npy.
	Arrays []string `json:"arrays,omitempty"`
	N      int      `json:"n"`
	Dim    int      `json:"dim,omitempty"`
	*Fit            // nil for a call
}

// Fit is what a request for a fit says besides.
type Fit struct {
	M       int   `json:"m,omitempty"` // sizes of the cell that the program uses
	D       int   `json:"d,omitempty"`
	Ell     int   `json:"ell,omitempty"`
	K       int   `json:"k,omitempty"`
	Kernel  any   `json:"kernel"` // its kernel.Form
	Seed    int32 `json:"seed"`   // not negative
	Threads int   `json:"threads"`
}

// line is the request as it is sent.
func (r Request) line() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // formulas have < and >
	err := encoder.Encode(r)
	return b.Bytes(), err
}

// readyFor is the version in a line such as {"ready":2}; 0 of another line.
func readyFor(line []byte) int {
	var says map[string]int
	if json.Unmarshal(line, &says) != nil || len(says) != 1 {
		return 0
	}
	return says["ready"]
}
