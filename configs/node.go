package configs

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Limits of a file: far above any honest spec, far below what hurts.
const (
	maxBytes = 1 << 20
	maxNodes = 100_000 // after aliases are expanded
	maxDepth = 32
)

// read reads the one document of text as a tree without aliases, duplicate keys,
// merge keys and custom tags, for a decoder that knows what is wrong already. The
// node is nil when there is nothing that could be decoded.
func read(file string, text []byte) (*yaml.Node, *decoder) {
	d := &decoder{file: file, broken: map[Pos]bool{}}
	err := checkText(file, text)
	var doc *yaml.Node
	if err == nil {
		doc, err = readDocument(file, text)
	}
	if err != nil {
		d.problems.Add(err)
		return nil, d
	}
	e := expander{decoder: d, budget: maxNodes, active: map[*yaml.Node]bool{}}
	root := e.expand(doc, 0)
	if e.stopped {
		return nil, d
	}
	return root, d
}

// checkText finds what the YAML parser should not be given at all.
func checkText(file string, text []byte) error {
	if len(text) > maxBytes {
		return Errorf(Pos{File: file}, "the file has %d bytes, more than the limit of %d; a spec is text, put data into files of their own", len(text), maxBytes)
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return Errorf(placeOf(file, text, i), "invalid UTF-8 (byte 0x%02x); save the file as UTF-8", text[i])
		}
		i += size
	}
	return nil
}

// readDocument returns the root value of the first document and refuses a second.
func readDocument(file string, text []byte) (node *yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = Errorf(Pos{File: file}, "the YAML parser failed on this file: %v", r)
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	if err := decoder.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, Errorf(Pos{file, 1, 1}, "the file is empty")
		}
		return nil, syntaxProblem(file, text, err)
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) == 0 || isNull(doc.Content[0]) {
		return nil, Errorf(Pos{file, 1, 1}, "the file is empty")
	}
	switch err := decoder.Decode(&second); {
	case errors.Is(err, io.EOF):
		return doc.Content[0], nil
	case err != nil:
		return nil, syntaxProblem(file, text, err)
	}
	return nil, Errorf(Pos{file, second.Line, second.Column}, "a second document begins here; one file holds one document")
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
		return Errorf(find(file, text, "*"+m[1]), "unknown anchor %q", m[1])
	}
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		line, _ = strconv.Atoi(m[1])
		msg = m[2]
	}
	lines := strings.Split(string(text), "\n")
	if tab := tabIndent(lines, line); tab > 0 {
		return Errorf(Pos{file, tab, strings.Index(lines[tab-1], "\t") + 1}, "a tab in the indentation; YAML is indented with spaces")
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
	return Errorf(Pos{file, line, col}, "not valid YAML: %s", msg)
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
func find(file string, text []byte, word string) Pos {
	i := bytes.Index(text, []byte(word))
	if i < 0 {
		return Pos{File: file}
	}
	return placeOf(file, text, i)
}

// placeOf is the place of the byte at i.
func placeOf(file string, text []byte, i int) Pos {
	start := bytes.LastIndexByte(text[:i], '\n') + 1
	return Pos{file, bytes.Count(text[:i], []byte("\n")) + 1, utf8.RuneCount(text[start:i]) + 1}
}

// expander copies a tree: aliases are replaced by what they stand for.
type expander struct {
	*decoder
	budget  int
	stopped bool
	active  map[*yaml.Node]bool // the anchors whose content is being copied
}

func (e *expander) expand(n *yaml.Node, depth int) *yaml.Node {
	e.budget--
	switch {
	case e.stopped:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	case e.budget < 0:
		return e.stop(n, "the file has more than %d values once its aliases are expanded", maxNodes)
	case depth > maxDepth:
		return e.stop(n, "nested more than %d levels deep", maxDepth)
	case n.Kind == yaml.AliasNode:
		return e.alias(n, depth)
	}
	defer e.mark(e.pos(n), len(e.problems))
	c := *n
	c.Anchor, c.Content = "", nil
	e.checkTag(&c)
	if n.Anchor != "" {
		e.active[n] = true
		defer delete(e.active, n)
	}
	if n.Kind == yaml.MappingNode {
		e.pairs(n, &c, depth)
		return &c
	}
	for _, child := range n.Content {
		c.Content = append(c.Content, e.expand(child, depth+1))
	}
	return &c
}

func (e *expander) stop(n *yaml.Node, format string, args ...any) *yaml.Node {
	e.stopped = true
	e.add(n, format, args...)
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
}

func (e *expander) alias(n *yaml.Node, depth int) *yaml.Node {
	if n.Alias == nil || e.active[n.Alias] {
		return e.stop(n, "anchor %q contains itself", n.Value)
	}
	return e.expand(n.Alias, depth)
}

// pairs copies the keys and values of a mapping that are well formed.
func (e *expander) pairs(n, c *yaml.Node, depth int) {
	first := map[string]int{}
	for written, value := range pairs(n) {
		key := written
		if key.Kind == yaml.AliasNode && key.Alias != nil {
			key = key.Alias
		}
		switch line, again := first[key.Value]; {
		case key.Kind != yaml.ScalarNode || isNull(key):
			e.add(written, "a key must be a word")
			continue
		case key.ShortTag() == "!!merge":
			e.add(key, `merge keys ("<<") are not supported; write the keys out, or give a whole value an anchor`)
			continue
		case again:
			e.add(written, "key %s is given twice, first in line %d", quote(key.Value), line)
			continue
		}
		first[key.Value] = key.Line
		c.Content = append(c.Content, e.expand(written, depth+1), e.expand(value, depth+1))
	}
}

// checkTag refuses explicit tags; the value then counts as written without one.
func (e *expander) checkTag(n *yaml.Node) {
	if n.Style&yaml.TaggedStyle == 0 {
		return
	}
	e.add(n, "tag %s is not supported; leave it out", quote(n.Tag))
	n.Tag, n.Style = "", n.Style&^yaml.TaggedStyle
}
