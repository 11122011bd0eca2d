package configs

import "reflect"

// Measures are the names of measures, among them the ids of those of the user's own.
type Measures struct {
	Words
	Own []Component
}

// measure is one of them.
type measure struct {
	Word
	own Component // without an id for a registered one
}

// DecodeNode reads a name, or a mapping with an id.
func (m *measure) DecodeNode(n *Node, d *Decoder) {
	if n.Kind != Map {
		d.Decode(n, &m.Word)
		return
	}
	m.own.DecodeNode(n, d)
	m.Word = Word{m.own.ID, n.Pos}
}

// DecodeNode reads the list.
func (m *Measures) DecodeNode(n *Node, d *Decoder) {
	var list []measure
	d.decodeList(n, reflect.ValueOf(&list).Elem())
	for _, one := range list {
		m.Words = append(m.Words, one.Word)
		if one.own.ID != "" {
			m.Own = append(m.Own, one.own)
		}
	}
}

// Takes says so in words.
func (*Measures) Takes(reflect.StructTag) string {
	return "a list, each a name, or a mapping with id and use"
}
