// Package source reads specs. It is the only package that knows that they are
// written in YAML: it makes trees of [configs.Node], which package configs decodes.
//
//  1. File reads a file, Read makes its text a tree. It refuses what YAML allows and a spec
//     should not have: a second document, duplicate keys, merge keys, tags, aliases,
//     more than 1 MiB.
//  2. Parse decodes that tree too.
//  3. Under gives a spec as it is run: a run profile and assignments such as grid.n=[1000,2000] are
//     edits of its tree, which is then decoded again.
package source

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"mercer/configs"
)

// File is the text of a file, as of All.
func File(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return All(f)
}

// All reads one byte more than Read accepts, so that a wrong file of any size
// costs no memory.
func All(r io.Reader) ([]byte, error) { return io.ReadAll(io.LimitReader(r, MaxBytes+1)) }

// Parse reads and decodes a spec; file names it in errors. The error is a Problems with every
// mistake of the text. Beside it stands what is sound, see [configs.Decode].
func Parse(file string, text []byte) (*configs.Spec, error) {
	var problems configs.Problems
	tree, err := Read(file, text)
	problems.Add(err)
	if tree == nil {
		return nil, problems.Err()
	}
	spec, err := configs.Decode(tree)
	problems.Add(err)
	return spec, problems.Err()
}

// Under is the spec as a run profile sees it, and with assignments in the place of what it has:
// "repeats=50", "grid.n=[1000, 2000]", "datasets.mix.sigma=0.5". See [configs.Under] and
// [configs.Set]. Beside an error stands what is sound, as of Parse.
func Under(spec *configs.Spec, profile string, assignments ...string) (*configs.Spec, error) {
	p, err := configs.Profile(profile)
	if err != nil {
		return nil, err
	}
	tree := configs.Under(spec.Tree, p)
	var problems configs.Problems
	for _, assignment := range assignments {
		if tree, err = set(tree, assignment); err != nil {
			problems.Add(err)
		}
	}
	if len(problems) > 0 {
		return nil, problems.Err()
	}
	out, err := configs.Decode(tree)
	if out != nil && len(assignments) == 0 { // what is in vain under one profile may be for another
		out.Warnings = spec.Warnings
	}
	return out, err
}

// set makes one assignment. Messages name it in the place of a file.
func set(tree *configs.Node, assignment string) (*configs.Node, error) {
	at := configs.Pos{File: "--set " + assignment}
	path, text, ok := strings.Cut(assignment, "=")
	if path = strings.TrimSpace(path); !ok || path == "" || strings.TrimSpace(text) == "" {
		return tree, configs.Errorf(at, "an assignment has a key and a value: repeats=50, or grid.n=[1000,2000]")
	}
	value, err := Read("", []byte(text))
	if err != nil {
		return tree, configs.Errorf(at, "%s", firstOf(err))
	}
	return configs.Set(tree, path, value.At(at))
}

// Params are parameters from YAML text, for tests and for callers that have no spec; kind and
// owner name them in messages: method "nystrom".
func Params(kind, owner string, text string) (configs.Params, error) {
	if strings.TrimSpace(text) == "" {
		text = "{}"
	}
	tree, err := Read("", []byte(text))
	if err != nil {
		return configs.Params{}, err
	}
	var params configs.Params
	err = configs.DecodeAs(tree, fmt.Sprintf("%s %q", kind, owner), &params)
	return params, err
}

// Conditions reads what a where has between braces: "method: nystrom, n: [500, 1000]".
func Conditions(text string) (configs.Conditions, error) {
	tree, err := Read("", []byte("{"+text+"}"))
	var where configs.Conditions
	if err == nil {
		err = configs.DecodeAs(tree, `"where"`, &where)
	}
	if err != nil {
		return nil, errors.New(firstOf(err))
	}
	return where, nil
}

// firstOf is the first message of an error, without its place.
func firstOf(err error) string {
	var problems configs.Problems
	problems.Add(err)
	return problems[0].Msg
}
