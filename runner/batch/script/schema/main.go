// Command schema decodes a manifest into the Job of k8s.io/api as strictly as Kubernetes
// does with strict validation of fields: one that is unknown, given twice, of another case
// or of another type is an error. It has a module of its own, so that mercer needs none of
// Kubernetes; a test of package cmd builds and runs it:
//
//	go run . job.yaml
package main

import (
	"errors"
	"fmt"
	"os"

	batch "k8s.io/api/batch/v1"
	"sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: schema FILE")
		os.Exit(2)
	}
	if err := check(os.Args[1]); err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}

func check(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text, err = yaml.YAMLToJSONStrict(text)
	if err != nil {
		return err
	}
	var job batch.Job
	doubts, err := json.UnmarshalStrict(text, &job)
	return errors.Join(append(doubts, err)...)
}
