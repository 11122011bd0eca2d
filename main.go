// Mercer runs experiments on kernel approximation from YAML specs, measures
// their errors exactly and holds them against what the theory claims.
package main

import (
	"os"

	"mercer/cmd"
)

func main() { os.Exit(cmd.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
