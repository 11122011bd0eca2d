// Package turns has two programs run a spec in turns, so that their times can be compared
// on a machine that does other work too.
//
// # Steps
//
//  1. [Find] finds a program by its name, and looks whether it is a mercer that can do
//     what is asked of it.
//  2. [Contest.First] has both run the first repeats. These runs are not counted: they show
//     whether both accept the spec, how many of its cells have a time and how long it
//     takes, and leave files in the caches of the system.
//  3. [Contest.Blocks] has them run in blocks of four turns, each block the same
//     repeats. Coins decide who begins.
//
// Each turn is a process of its own, in a folder of its own, which is deleted once its
// records are read. When the context ends, the program that runs is killed with all
// that it has started.
package turns
