package results

import (
	"bytes"
	"encoding/json"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// decoder reads many lines of records.jsonl. Of a line in the form that [Encode]
// writes it reads what differs between the repeats of a cell by itself, some ten
// times as fast as encoding/json, and shares the rest between them: strings, and
// the map of the grid point, which must not be changed. It declines any other
// line, and all that [Decode] refuses, and leaves them to Decode.
//
// Several decoders may share their cells, each in a goroutine of its own.
type decoder struct {
	cells *sharedCells
	known map[string]Record // of the cells, those that this decoder has met
	texts map[string]string // by their quoted form

	metrics      shared
	names, units []string     // of the line
	likely       []quotedName // names of metrics that lines before had in these places
	values       []float64
}

type quotedName struct{ quoted, name string }

// sharedCells are cells by the text between key and repeat.
type sharedCells struct {
	mu  sync.Mutex
	all map[string]Record
}

// kept is how many cells and texts a decoder remembers; then it starts anew.
const kept = 1 << 16

func newDecoder() *decoder { return newSharedCells().decoder() }

func newSharedCells() *sharedCells { return &sharedCells{all: map[string]Record{}} }

func (c *sharedCells) decoder() *decoder {
	return &decoder{cells: c, known: map[string]Record{}, texts: map[string]string{}}
}

// of is the cell of a text, which is r where it is new.
func (c *sharedCells) of(text string, r Record) Record {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, ok := c.all[text]; ok {
		return known
	}
	if len(c.all) == kept {
		clear(c.all)
	}
	c.all[text] = r
	return r
}

func (d *decoder) decode(line []byte) (Record, error) {
	if r, ok := d.own(line); ok {
		return r, nil
	}
	return Decode(line)
}

var (
	beforeKey    = []byte(`{"schema":1,"key":"`)
	beforeRepeat = []byte(`,"repeat":`)
	// outsideCell has the members that the text of a cell may not have.
	outsideCell = []byte(`{"schema":1,"key":"","repeat":0,"seed":0,"status":"","reason":"","metrics":{},"phases":{},"warnings":[],"version":"","blas":"","usage":{}`)
)

// own reads a line as Encode writes it; false for any other.
func (d *decoder) own(line []byte) (r Record, ok bool) {
	line = bytes.TrimSuffix(line, []byte{'\n'})
	at := len(line) - crcLen
	if at < 0 || !bytes.HasPrefix(line, beforeKey) || !bytes.HasPrefix(line[at:], []byte(crcOpen)) || !bytes.HasSuffix(line, []byte(crcClose)) {
		return r, false
	}
	want, err := strconv.ParseUint(string(line[at+len(crcOpen):len(line)-len(crcClose)]), 16, 32)
	if err != nil || crc32.Update(crc32.Checksum(line[:at], castagnoli), castagnoli, []byte{'}'}) != uint32(want) {
		return r, false
	}
	p := parser{text: line[len(beforeKey)-1 : at], ok: true}
	key, err := strconv.Unquote(string(p.quoted()))
	if err != nil || !hexadecimal(key) {
		return r, false
	}
	cell := bytes.Index(p.text, beforeRepeat)
	if !p.ok || cell < 0 {
		return r, false
	}
	if r, ok = d.cell(p.text[:cell]); !ok {
		return r, false
	}
	p.text = p.text[cell:]
	r.Key = key
	p.skip(`,"repeat":`)
	r.Repeat = int(p.digits(31))
	p.skip(`,"seed":`)
	r.Seed = p.digits(64)
	p.skip(`,"status":`)
	r.Status = Status(d.text(&p))
	if p.has(`,"reason":`) {
		r.Reason = d.text(&p)
	}
	if p.has(`,"metrics":{`) && !d.readMetrics(&p, &r) {
		return r, false
	}
	if p.has(`,"phases":{`) {
		r.Phases = map[string]float64{}
		for more := true; more && p.ok; more = p.has(`,`) {
			name := d.text(&p)
			if _, twice := r.Phases[name]; twice {
				return r, false
			}
			p.skip(`:`)
			r.Phases[name] = p.number()
		}
		p.skip(`}`)
	}
	if p.has(`,"warnings":[`) {
		for more := true; more && p.ok; more = p.has(`,`) {
			r.Warnings = append(r.Warnings, d.text(&p))
		}
		p.skip(`]`)
	}
	p.skip(`,"version":`)
	r.Version = d.text(&p)
	p.skip(`,"blas":`)
	r.BLAS = d.text(&p)
	if p.has(`,"usage":{"cpu":`) {
		r.Usage = &Usage{CPU: p.number()}
		p.skip(`,"peak":`)
		r.Usage.Peak = int64(p.digits(63))
		p.skip(`}`)
		p.ok = p.ok && r.Usage.CPU >= 0
	}
	return r, p.ok && len(p.text) == 0 && key != "" && r.Status.known() // the cell is valid, and JSON's numbers are finite
}

// readMetrics reads metrics behind their brace; false where they are not in the
// order of their names.
func (d *decoder) readMetrics(p *parser, r *Record) bool {
	d.names, d.units, d.values = d.names[:0], d.units[:0], d.values[:0]
	for more := true; more && p.ok; more = p.has(`,`) {
		n := len(d.names)
		if n == len(d.likely) {
			d.likely = append(d.likely, quotedName{})
		}
		if l := &d.likely[n]; l.quoted == "" || !p.has(l.quoted) {
			before := p.text
			name := d.text(p)
			*l = quotedName{string(before[:len(before)-len(p.text)]), name}
		}
		name, unit := d.likely[n].name, ""
		if n > 0 && name <= d.names[n-1] {
			return false
		}
		p.skip(`:{"v":`)
		v := p.number()
		if p.has(`,"u":`) {
			unit = d.text(p)
		}
		p.skip(`}`)
		d.names, d.units, d.values = append(d.names, name), append(d.units, unit), append(d.values, v)
	}
	p.skip(`}`)
	r.Metrics = Metrics{d.metrics.of(d.names, d.units), slices.Clone(d.values)}
	return true
}

// hexadecimal says whether s is a key as the runner makes them.
func hexadecimal(s string) bool {
	return strings.Trim(s, "0123456789abcdef") == ""
}

// cell reads the members between key and repeat, once.
func (d *decoder) cell(text []byte) (Record, bool) {
	if r, known := d.known[string(text)]; known {
		return r, true
	}
	var r Record
	if _, twice := doubled(bytes.Join([][]byte{outsideCell, text, {'}'}}, nil)); twice {
		return r, false
	}
	if err := json.Unmarshal(bytes.Join([][]byte{[]byte(`{"schema":1`), text, {'}'}}, nil), &r); err != nil {
		return r, false
	}
	if r.Key != "" || r.Repeat != 0 || r.Seed != 0 || r.Status != "" || r.Reason != "" || !r.Metrics.IsZero() || r.Phases != nil || r.Warnings != nil || r.Usage != nil {
		return r, false
	}
	check := r
	check.Key, check.Status = "0", OK
	if check.Validate() != nil {
		return r, false
	}
	if len(d.known) == kept {
		clear(d.known)
	}
	id := string(text)
	r = d.cells.of(id, r)
	d.known[id] = r
	return r, true
}

// text is the string that a quoted one stands for.
func (d *decoder) text(p *parser) string {
	quoted := p.quoted()
	if known, ok := d.texts[string(quoted)]; ok || !p.ok {
		return known
	}
	var s string
	if json.Unmarshal(quoted, &s) != nil {
		p.ok = false
		return ""
	}
	if len(d.texts) == kept {
		clear(d.texts)
	}
	d.texts[string(quoted)] = s
	return s
}

// parser reads JSON without spaces from the front of text. ok turns false at
// what it does not expect, and stays so.
type parser struct {
	text []byte
	ok   bool
}

// has reads a literal, where it stands there.
func (p *parser) has(literal string) bool {
	found := len(p.text) >= len(literal) && string(p.text[:len(literal)]) == literal
	if found {
		p.text = p.text[len(literal):]
	}
	return found
}

func (p *parser) skip(literal string) { p.ok = p.has(literal) && p.ok }

// quoted reads a string with its quotes and escapes.
func (p *parser) quoted() []byte {
	end := 1
	for end < len(p.text) && p.text[end] != '"' {
		if p.text[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(p.text) || p.text[0] != '"' {
		p.ok = false
		return nil
	}
	s := p.text[:end+1]
	p.text = p.text[end+1:]
	return s
}

// digits reads an integer that is not negative and fits the bits.
func (p *parser) digits(bits int) uint64 {
	end := 0
	for end < len(p.text) && p.text[end] >= '0' && p.text[end] <= '9' {
		end++
	}
	v, err := strconv.ParseUint(string(p.text[:end]), 10, bits)
	p.ok = p.ok && err == nil && (end == 1 || p.text[0] != '0')
	p.text = p.text[end:]
	return v
}

// number reads a number of JSON's grammar.
func (p *parser) number() float64 {
	text, at := p.text, 0
	run := func() bool { // of digits
		from := at
		for at < len(text) && text[at] >= '0' && text[at] <= '9' {
			at++
		}
		return at > from
	}
	one := func(of string) bool {
		found := at < len(text) && bytes.IndexByte([]byte(of), text[at]) >= 0
		if found {
			at++
		}
		return found
	}
	one("-")
	if !one("0") {
		p.ok = run() && p.ok
	}
	if one(".") {
		p.ok = run() && p.ok
	}
	if one("eE") {
		one("+-")
		p.ok = run() && p.ok
	}
	v, err := strconv.ParseFloat(string(text[:at]), 64)
	p.ok = p.ok && err == nil
	p.text = text[at:]
	return v
}
