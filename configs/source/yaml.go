package source

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"mercer/configs"
)

// Limits of a file: far above any honest spec, far below what hurts.
const (
	MaxBytes = 1 << 20
	maxNodes = 100_000 // after aliases are expanded
)

// Read reads the one document of text as a tree; file names it in errors. The error is a
// Problems. Beside it stands what is well formed, so that a decoder can find further mistakes;
// nil where nothing is.
func Read(file string, text []byte) (*configs.Node, error) {
	if err := checkText(file, text); err != nil {
		return nil, err
	}
	doc, err := readDocument(file, text)
	if err != nil {
		return nil, err
	}
	e := expander{file: file, budget: maxNodes, active: map[*yaml.Node]bool{}}
	root := e.expand(doc, 0)
	if e.stopped {
		root = nil
	}
	return root, e.problems.Err()
}

// checkText finds what the YAML parser should not be given at all.
func checkText(file string, text []byte) error {
	if len(text) > MaxBytes {
		return configs.Errorf(configs.Pos{File: file}, "the file has %d bytes, more than the limit of %d; a spec is text, put data into files of their own", len(text), MaxBytes)
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return configs.Errorf(placeOf(file, text, i), "invalid UTF-8 (byte 0x%02x); save the file as UTF-8", text[i])
		}
		i += size
	}
	return nil
}

// readDocument returns the root value of the first document and refuses a second.
func readDocument(file string, text []byte) (node *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = configs.Errorf(configs.Pos{File: file}, "the YAML parser failed on this file: %v", r)
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	if err := decoder.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, configs.Errorf(configs.Pos{File: file, Line: 1, Col: 1}, "the file is empty")
		}
		return nil, syntaxProblem(file, text, err)
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) == 0 || doc.Content[0].ShortTag() == "!!null" {
		return nil, configs.Errorf(configs.Pos{File: file, Line: 1, Col: 1}, "the file is empty")
	}
	switch err := decoder.Decode(&second); {
	case errors.Is(err, io.EOF):
		return doc.Content[0], nil
	case err != nil:
		return nil, syntaxProblem(file, text, err)
	}
	return nil, configs.Errorf(configs.Pos{File: file, Line: second.Line, Col: second.Column}, "a second document begins here; one file holds one document")
}

var (
	yamlLine      = regexp.MustCompile(`^yaml: line (\d+): (.*)`)
	parserError   = regexp.MustCompile(`^did not find expected (',' or|'-' indicator|<|key|node content)`)
	unknownAnchor = regexp.MustCompile(`^yaml: unknown anchor '(.*)' referenced`)
)

// syntaxProblem gives yaml.v3's "yaml: line N: ..." a place and, where the
// cause can be guessed, advice.
func syntaxProblem(file string, text []byte, err error) error {
	msg, line := strings.TrimPrefix(err.Error(), "yaml: "), 0
	if m := unknownAnchor.FindStringSubmatch(err.Error()); m != nil {
		return configs.Errorf(find(file, text, "*"+m[1]), "unknown anchor %q", m[1])
	}
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		line, _ = strconv.Atoi(m[1])
		msg = m[2]
	}
	lines := strings.Split(string(text), "\n")
	if tab := tabIndent(lines, line); tab > 0 {
		return configs.Errorf(configs.Pos{File: file, Line: tab, Col: strings.Index(lines[tab-1], "\t") + 1}, "a tab in the indentation; YAML is indented with spaces")
	}
	// yaml.v3 gives the line where the block begins, counted from 0 in the
	// errors of its parser and from 1 in those of its scanner.
	if parserError.MatchString(msg) {
		line++
		msg += " in the block that begins here; look at the indentation and the brackets below"
	}
	line = min(max(line, 1), len(lines))
	text1 := lines[line-1]
	col := utf8.RuneCountInString(text1) - utf8.RuneCountInString(strings.TrimLeft(text1, " \t")) + 1
	return configs.Errorf(configs.Pos{File: file, Line: line, Col: col}, "not valid YAML: %s", msg)
}

// tabIndent is the line number near the reported one whose indentation has a
// tab, 0 when there is none.
func tabIndent(lines []string, line int) int {
	for l := max(line-1, 1); l <= min(line+2, len(lines)); l++ {
		text := lines[l-1]
		indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
		if strings.Contains(indent, "\t") {
			return l
		}
	}
	return 0
}

// find is the place of the first occurrence of word.
func find(file string, text []byte, word string) configs.Pos {
	i := bytes.Index(text, []byte(word))
	if i < 0 {
		return configs.Pos{File: file}
	}
	return placeOf(file, text, i)
}

// placeOf is the place of the byte at i.
func placeOf(file string, text []byte, i int) configs.Pos {
	start := bytes.LastIndexByte(text[:i], '\n') + 1
	return configs.Pos{File: file, Line: bytes.Count(text[:i], []byte("\n")) + 1, Col: utf8.RuneCount(text[start:i]) + 1}
}

// expander makes a tree: aliases are replaced by what they stand for.
type expander struct {
	file     string
	problems configs.Problems
	budget   int
	stopped  bool
	active   map[*yaml.Node]bool // the anchors whose content is being copied
}

func (e *expander) pos(n *yaml.Node) configs.Pos {
	return configs.Pos{File: e.file, Line: n.Line, Col: n.Column}
}

func (e *expander) add(n *yaml.Node, format string, args ...any) {
	e.problems.Add(configs.Errorf(e.pos(n), format, args...))
}

func (e *expander) stop(n *yaml.Node, format string, args ...any) *configs.Node {
	e.stopped = true
	e.add(n, format, args...)
	return nil
}

func (e *expander) expand(n *yaml.Node, depth int) *configs.Node {
	e.budget--
	switch {
	case e.stopped:
		return nil
	case e.budget < 0:
		return e.stop(n, "the file has more than %d values once its aliases are expanded", maxNodes)
	case depth > configs.MaxDepth:
		return e.stop(n, "nested more than %d levels deep", configs.MaxDepth)
	case n.Kind == yaml.AliasNode && e.active[n.Alias]:
		return e.stop(n, "anchor %q contains itself", n.Value)
	case n.Kind == yaml.AliasNode:
		return e.expand(n.Alias, depth)
	}
	if n.Anchor != "" {
		e.active[n] = true
		defer delete(e.active, n)
	}
	c := &configs.Node{Kind: e.kind(n), Text: n.Value, Pos: e.pos(n)}
	switch n.Kind {
	case yaml.MappingNode:
		e.pairs(n, c, depth)
	case yaml.SequenceNode:
		for _, item := range n.Content {
			c.Items = append(c.Items, e.expand(item, depth+1))
		}
	}
	return c
}

// kind refuses explicit tags; the value then counts as written without one.
func (e *expander) kind(n *yaml.Node) configs.Kind {
	if n.Style&yaml.TaggedStyle != 0 {
		e.add(n, "tag %q is not supported; leave it out", n.Tag)
		n.Tag, n.Style = "", n.Style&^yaml.TaggedStyle
	}
	switch {
	case n.Kind == yaml.MappingNode:
		return configs.Map
	case n.Kind == yaml.SequenceNode:
		return configs.List
	}
	switch n.ShortTag() {
	case "!!null":
		return configs.None
	case "!!bool":
		return configs.Bool
	case "!!int", "!!float":
		return configs.Number
	}
	return configs.Text
}

// pairs adds the keys and values of a mapping that are well formed.
func (e *expander) pairs(n *yaml.Node, c *configs.Node, depth int) {
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		written := n.Content[i]
		key := written
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		switch line, again := first[key.Value]; {
		case key.Kind != yaml.ScalarNode || key.ShortTag() == "!!null":
			e.add(written, "a key must be a word")
			continue
		case key.ShortTag() == "!!merge":
			e.add(key, `merge keys ("<<") are not supported; write the keys out, or give a whole value an anchor`)
			continue
		case again:
			e.add(written, "key %q is given twice, first in line %d", key.Value, line)
			continue
		}
		first[key.Value] = key.Line
		e.budget--
		e.kind(key)
		if value := e.expand(n.Content[i+1], depth+1); value != nil {
			c.Pairs = append(c.Pairs, configs.Pair{Key: key.Value, At: e.pos(written), Value: value})
		}
	}
}
