// Package exec runs a program in any language as a method: arrays in and out as
// .npy files, a line of JSON in and a line of JSON out. docs/exec.md is the
// protocol as authors of programs read it.
//
//  1. Find looks the program up beside the spec and takes the SHA-256 of the
//     files that its command names. Nothing is run.
//  2. NewScratch makes a directory for one fit; WriteMatrix and WriteSymmetric
//     put the arrays there, Remove takes all of it away.
//  3. Command.Run starts the program there with a Request on its standard
//     input, and waits until it and everything that it started is gone: by
//     itself, or killed when the context or the time limit ends.
//  4. DecodeAnswer reads the one line it printed, strictly, and the arrays that
//     the line names are read from the scratch directory, never from elsewhere.
//
// What an answer means as a model is package methods' business.
//
// A program is trusted not to be malicious: it runs with the rights of the user.
// What is guarded against is a program that fails, in any way that programs do.
package exec
