// Package exec runs a program in any language, as a method or as a part of one: arrays in
// and out as .npy files, a line of JSON in and a line of JSON out. docs/exec.md is the
// protocol as authors of programs read it.
//
// Options are the parameters of a program wherever a spec names one. FindAll finds those of a
// component, and Options.Call asks for all that is no fit.
//
//  1. Find looks the program up beside the spec and takes the SHA-256 of the
//     files that its command names. The Command that it gives has run nothing yet.
//  2. Command.Take starts the program, unless a process of it is idle, in a scratch
//     directory of its own and waits until it is ready. Scratch.Write puts the arrays of a
//     Request there.
//  3. Program.Ask writes the Request (a fit, or a call about the last fit) to the program's
//     standard input and waits for the Answer, and until the program is ready again. One
//     that fails or is late is killed with everything that it started.
//  4. An Answer is one line, decoded strictly, and the arrays that the line names, which
//     are read from the scratch directory, never from elsewhere.
//  5. Program.Put keeps the process for the next fit, Command.Close ends all.
//
// Start with ask.go.
//
// What an answer means as a model is package methods' business.
//
// A program is trusted not to be malicious: it runs with the rights of the user.
// What is guarded against is a program that fails, in any way that programs do.
package exec
