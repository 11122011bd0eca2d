package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"mercer/internal/plain"
)

// event is a line of go test -json; go doc test2json lists its fields.
type event struct {
	Action, Package, Test, Output string
}

// summary reads events, prints those of interest, and keeps what was skipped.
type summary struct {
	out     io.Writer
	output  map[string]map[string][]string // lines by package and by test that has not ended; "" is the package
	skipped []skip
}

// skip is a test that did not run, or one of which a part did not.
type skip struct {
	name   string // package, without the module, and test
	reason string
}

// read reads events until there are no more.
func (s *summary) read(events io.Reader) error {
	s.output = map[string]map[string][]string{}
	lines := bufio.NewReader(events)
	for {
		line, err := lines.ReadString('\n')
		var e event
		switch {
		case line == "":
		case json.Unmarshal([]byte(line), &e) != nil:
			fmt.Fprint(s.out, line) // go test itself says something
		default:
			s.take(e)
		}
		if errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// take prints or keeps one event.
func (s *summary) take(e event) {
	if s.output[e.Package] == nil {
		s.output[e.Package] = map[string][]string{}
	}
	kept := s.output[e.Package]
	lines := kept[e.Test]
	switch e.Action {
	case "build-output":
		fmt.Fprint(s.out, e.Output)
	case "output":
		if !strings.HasPrefix(e.Output, "=== ") { // RUN, PAUSE, CONT, NAME
			kept[e.Test] = append(lines, e.Output)
		}
	case "pass", "skip":
		if e.Test == "" {
			s.closing(lines)
			delete(s.output, e.Package)
			return
		}
		s.note(e, lines)
		delete(kept, e.Test)
	case "fail":
		if e.Test == "" {
			// A test that has not ended was in hand when the program stopped.
			for _, test := range slices.Sorted(maps.Keys(kept)) {
				if test != "" {
					fmt.Fprint(s.out, strings.Join(kept[test], ""))
				}
			}
			delete(s.output, e.Package)
		}
		fmt.Fprint(s.out, strings.Join(lines, ""))
		delete(kept, e.Test)
	}
}

// closing prints the line by which go test closes a package.
func (s *summary) closing(lines []string) {
	for _, line := range lines {
		if strings.HasPrefix(line, "ok  \t") || strings.HasPrefix(line, "?   \t") {
			fmt.Fprint(s.out, line)
		}
	}
}

// logged is what a test has logged: its file and line, then the text.
var logged = regexp.MustCompile(`^\s+\S+\.go:\d+: (.*)\n$`)

// loud begins the reason of a test that is skipped for what is missing here.
var loud = regexp.MustCompile(`^(SKIPPED|NOT TESTED)[:,] `)

// partly begins what a test logs that leaves out a part of itself.
const partly = "SKIPPED in part: "

// note keeps why a test was skipped, in whole or in part.
func (s *summary) note(e event, lines []string) {
	_, pkg, _ := strings.Cut(e.Package, "/")
	reason := ""
	for _, line := range lines {
		if text := logged.FindStringSubmatch(line); text == nil {
			continue
		} else if part, ok := strings.CutPrefix(text[1], partly); ok {
			s.skipped = append(s.skipped, skip{pkg + "." + e.Test + " in part", part})
		} else if reason == "" {
			reason = loud.ReplaceAllString(text[1], "")
		}
	}
	if e.Action == "skip" {
		s.skipped = append(s.skipped, skip{pkg + "." + e.Test, reason})
	}
}

// most is how many tests are named that were skipped for the same reason.
const most = 3

// skips is a paragraph about what was skipped.
func (s *summary) skips() string {
	if len(s.skipped) == 0 {
		return "No test was skipped."
	}
	names := map[string][]string{}
	for _, k := range s.skipped {
		names[k.reason] = append(names[k.reason], k.name)
	}
	var groups []string
	for _, reason := range slices.Sorted(maps.Keys(names)) {
		who := names[reason]
		if rest := len(who) - most; rest > 0 {
			who = append(who[:most:most], fmt.Sprintf("and %d more", rest))
		}
		groups = append(groups, fmt.Sprintf("%s (%s)", reason, strings.Join(who, ", ")))
	}
	return strings.Join(plain.Wrap(fmt.Sprintf("Skipped, %d in all: %s.", len(s.skipped), strings.Join(groups, "; ")), 100), "\n")
}
