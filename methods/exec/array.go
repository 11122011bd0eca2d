package exec

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
)

// Array is one array of an answer: in a file, or written out in the answer.
type Array struct {
	File   string      // name in the scratch directory; empty for numbers
	Matrix [][]float64 // rows of equal length; nil for a file or a vector
	Vector []float64   // nil for a file or a matrix
}

type arrayError string

func (e arrayError) Error() string { return string(e) }

// UnmarshalJSON reads a file's name, a list of numbers or a list of rows. null
// for a number, which some languages print for NaN, is an error.
func (a *Array) UnmarshalJSON(text []byte) error {
	var vector []*float64
	var matrix [][]*float64
	switch {
	case json.Unmarshal(text, &a.File) == nil:
		if a.File == "" {
			return arrayError("an empty file name")
		}
		return nil
	case json.Unmarshal(text, &vector) == nil:
		values, err := numbers(vector)
		a.Vector = values
		return err
	case json.Unmarshal(text, &matrix) == nil:
		for i, row := range matrix {
			values, err := numbers(row)
			if err == nil && len(row) != len(matrix[0]) {
				err = arrayError(fmt.Sprintf("row %d has %d numbers, row 0 has %d", i, len(row), len(matrix[0])))
			}
			if err != nil {
				return err
			}
			a.Matrix = append(a.Matrix, values)
		}
		return nil
	}
	return arrayError("must be the name of a .npy file, a list of numbers, or a list of rows of numbers")
}

func numbers(list []*float64) ([]float64, error) {
	if len(list) == 0 {
		return nil, arrayError("an array without numbers")
	}
	values := make([]float64, len(list))
	for i, v := range list {
		if v == nil {
			return nil, arrayError(fmt.Sprintf("number %d is null: not a finite number", i))
		}
		values[i] = *v
	}
	return values, nil
}

// ReadMatrix reads an array of two dimensions: finite floats, in C or Fortran
// order. name is the array's in the answer, for messages.
func (s *Scratch) ReadMatrix(name string, a *Array) (*mat.Dense, error) {
	if a.File == "" {
		if a.Matrix == nil {
			return nil, fmt.Errorf("%s: an array of one dimension: want two, a list of rows", name)
		}
		return mat.NewDense(len(a.Matrix), len(a.Matrix[0]), slices.Concat(a.Matrix...)), nil
	}
	f, size, err := s.open(name, a.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return files.Opener{}.ReadNPY(f, size, name+": "+a.File)
}

// ReadVector reads an array of one dimension.
func (s *Scratch) ReadVector(name string, a *Array) ([]float64, error) {
	if a.File == "" {
		if a.Vector == nil {
			return nil, fmt.Errorf("%s: an array of two dimensions: want one", name)
		}
		return a.Vector, nil
	}
	f, size, err := s.open(name, a.File)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return files.Opener{}.ReadNPYVector(f, size, name+": "+a.File)
}

// ReadIntegers reads an array of one dimension of whole numbers from 0 to
// below − 1.
func (s *Scratch) ReadIntegers(name string, a *Array, below int) ([]int, error) {
	values, err := s.ReadVector(name, a)
	if err != nil {
		return nil, err
	}
	integers := make([]int, len(values))
	for i, v := range values {
		if v != math.Trunc(v) || v < 0 || v >= float64(below) {
			return nil, fmt.Errorf("%s: number %d is %v: want whole numbers from 0 to %d", name, i, v, below-1)
		}
		integers[i] = int(v)
	}
	return integers, nil
}
