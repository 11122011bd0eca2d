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

// MaxBytes is the most bytes of a file: far above any honest spec, far below what hurts.
const MaxBytes = 1 << 20

// Read reads the one document of text as a tree; file names it in errors. The error is a
// Problems. Beside it stands what is well formed, so that a decoder can find further mistakes;
// nil where nothing is.
func Read(file string, text []byte) (*configs.Node, error) {
	r := reader{file: file}
	if len(text) > MaxBytes {
		return nil, r.errorf(0, 0, "the file has %d bytes, more than the limit of %d; a spec is text, put data into files of their own", len(text), MaxBytes)
	}
	if i := bytes.IndexRune(text, utf8.RuneError); i >= 0 { // also what is no UTF-8
		before := text[:i]
		start := bytes.LastIndexByte(before, '\n') + 1
		return nil, r.errorf(bytes.Count(before, []byte("\n"))+1, utf8.RuneCount(before[start:])+1, "invalid UTF-8 (byte 0x%02x); save the file as UTF-8", text[i])
	}
	doc, err := r.document(text)
	if err != nil {
		return nil, err
	}
	return r.node(doc, 0), r.problems.Err()
}

// reader makes a tree of YAML's.
type reader struct {
	file     string
	problems configs.Problems
}

func (r *reader) errorf(line, col int, format string, args ...any) error {
	return configs.Errorf(configs.Pos{File: r.file, Line: line, Col: col}, format, args...)
}

// document returns the root value of the first document and refuses a second.
func (r *reader) document(text []byte) (node *yaml.Node, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = r.errorf(0, 0, "the YAML parser failed on this file: %v", v)
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	err = decoder.Decode(&doc)
	if errors.Is(err, io.EOF) || err == nil && doc.Content[0].ShortTag() == "!!null" {
		return nil, r.errorf(1, 1, "the file is empty")
	}
	if err == nil {
		err = decoder.Decode(&second)
	}
	switch {
	case errors.Is(err, io.EOF):
		return doc.Content[0], nil
	case err != nil:
		return nil, r.syntax(text, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	return nil, r.errorf(second.Line, second.Column, "a second document begins here; one file holds one document")
}

var yamlLine = regexp.MustCompile(`^line (\d+): (.*)`)

// syntax gives yaml.v3's "line N: ..." a place. yaml.v3 gives the line where a block begins, counted from 0
// in the errors of its parser, which did not find what it expected, and from 1 in those of its scanner.
func (r *reader) syntax(text []byte, message string) error {
	m := yamlLine.FindStringSubmatch(message)
	if m == nil {
		return r.errorf(0, 0, "not valid YAML: %s", message)
	}
	line, _ := strconv.Atoi(m[1])
	message = m[2]
	if strings.HasPrefix(message, "did not find expected") {
		line++
		message += " in the block that begins here; look at the indentation and the brackets below"
	}
	if strings.Contains(message, "cannot start any token") {
		message += "; is it a tab? YAML is indented with spaces"
	}
	lines := strings.Split(string(text), "\n")
	line = min(line, len(lines))
	indent := len(lines[line-1]) - len(strings.TrimLeft(lines[line-1], " \t"))
	return r.errorf(line, indent+1, "not valid YAML: %s", message)
}

func (r *reader) add(n *yaml.Node, format string, args ...any) {
	r.problems.Add(r.errorf(n.Line, n.Column, format, args...))
}

// node is the value of a node; nil where it has none.
func (r *reader) node(n *yaml.Node, depth int) *configs.Node {
	switch {
	case depth > configs.MaxDepth:
		r.add(n, "nested more than %d levels deep", configs.MaxDepth)
		return nil
	case n.Kind == yaml.AliasNode:
		r.add(n, "aliases such as *%s are not supported; write the value out here", n.Value)
		return nil
	}
	c := &configs.Node{Kind: r.kind(n), Text: n.Value, Pos: configs.Pos{File: r.file, Line: n.Line, Col: n.Column}}
	switch n.Kind {
	case yaml.MappingNode:
		r.pairs(n, c, depth)
	case yaml.SequenceNode:
		for _, item := range n.Content {
			if value := r.node(item, depth+1); value != nil {
				c.Items = append(c.Items, value)
			}
		}
	}
	return c
}

// kind refuses explicit tags; the value then counts as written without one.
func (r *reader) kind(n *yaml.Node) configs.Kind {
	if n.Style&yaml.TaggedStyle != 0 {
		r.add(n, "tag %q is not supported; leave it out", n.Tag)
		n.Tag, n.Style = "", n.Style&^yaml.TaggedStyle
	}
	switch n.ShortTag() {
	case "!!map":
		return configs.Map
	case "!!seq":
		return configs.List
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
func (r *reader) pairs(n *yaml.Node, c *configs.Node, depth int) {
	first := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch line, again := first[key.Value]; {
		case key.ShortTag() == "!!merge":
			r.add(key, `merge keys ("<<") are not supported; write the keys out`)
			continue
		case key.Kind != yaml.ScalarNode || r.kind(key) == configs.None:
			r.add(key, "a key must be a word")
			continue
		case again:
			r.add(key, "key %q is given twice, first in line %d", key.Value, line)
			continue
		}
		first[key.Value] = key.Line
		if value := r.node(n.Content[i+1], depth+1); value != nil {
			c.Pairs = append(c.Pairs, configs.Pair{Key: key.Value, At: configs.Pos{File: r.file, Line: key.Line, Col: key.Column}, Value: value})
		}
	}
}
