package configs

import (
	"iter"

	"gopkg.in/yaml.v3"
)

func isNumber(n *yaml.Node) bool {
	tag := n.ShortTag()
	return n.Kind == yaml.ScalarNode && (tag == "!!int" || tag == "!!float")
}

func isNull(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
}

// pairs are the keys and values of a mapping; what is no mapping has none.
func pairs(n *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
			if !yield(n.Content[i], n.Content[i+1]) {
				return
			}
		}
	}
}

// child is the value of a mapping's key, nil when it is not there.
func child(n *yaml.Node, key string) *yaml.Node {
	for k, value := range pairs(n) {
		if k.Value == key {
			return value
		}
	}
	return nil
}

// entries are those of a list, or the one value in place of a list.
func entries(n *yaml.Node) []*yaml.Node {
	if n.Kind == yaml.SequenceNode {
		return n.Content
	}
	return []*yaml.Node{n}
}

// describe says what a node is, for "must be a list, found ...".
func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case isNull(n):
		return "nothing"
	case isNumber(n):
		return "the number " + n.Value
	case n.ShortTag() == "!!bool":
		return n.Value
	}
	return "the text " + quote(n.Value)
}
