package exec

import _ "embed"

//go:embed examples/mercer.py
var helperInPython string

//go:embed examples/mercer.R
var helperInR string

// Helpers are the files that turn a function into a program that serves fits, by the
// extension of their language.
var Helpers = map[string]string{"py": helperInPython, "R": helperInR}
