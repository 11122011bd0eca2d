// Package exec runs a program in any language as a method: arrays in and out as
// .npy files, a line of JSON in and a line of JSON out. docs/exec.md is the
// protocol as authors of programs read it.
//
//  1. Find looks the program up beside the spec and takes the SHA-256 of the
//     files that its command names. Nothing is run.
//  2. Programs.Take starts the program, unless one is idle, in a scratch directory of
//     its own and waits until it is ready. Scratch.WriteMatrix and WriteSymmetric put
//     the arrays of a fit there.
//  3. Program.Fit writes a Request to the program's standard input and waits for the
//     answer, and until the program is ready again. One that fails or is late is
//     killed with everything that it started.
//  4. DecodeAnswer reads the answer, one line, strictly, and the arrays that the line
//     names are read from the scratch directory, never from elsewhere.
//  5. Programs.Put keeps the program for the next fit, Programs.Close ends all.
//
// What an answer means as a model is package methods' business.
//
// A program is trusted not to be malicious: it runs with the rights of the user.
// What is guarded against is a program that fails, in any way that programs do.
package exec
