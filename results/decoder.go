package results

import (
	"bytes"
	"encoding/json"
	"hash/crc32"
	"strconv"
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
	room         []float64 // for the values of records
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

// known is the cell of a text, where a decoder has read it.
func (c *sharedCells) known(text []byte) (Record, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.all[string(text)]
	return r, ok
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
	key := p.quoted()
	if !p.ok || !hexadecimal(key[1:len(key)-1]) {
		return r, false
	}
	cell := bytes.Index(p.text, beforeRepeat)
	if cell < 0 {
		return r, false
	}
	if r, ok = d.cell(p.text[:cell]); !ok {
		return r, false
	}
	p.text = p.text[cell:]
	r.Key = string(key[1 : len(key)-1])
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
	return r, p.ok && len(p.text) == 0 && r.Key != "" && r.Status.known() // the cell is valid, and JSON's numbers are finite
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
	r.Metrics = Metrics{d.metrics.of(d.names, d.units), d.keep(d.values)}
	return true
}

// keep copies values, of many records into one piece of memory.
func (d *decoder) keep(values []float64) []float64 {
	const piece = 1 << 12
	if len(values) > cap(d.room)-len(d.room) {
		d.room = make([]float64, 0, max(piece, len(values)))
	}
	at := len(d.room)
	d.room = append(d.room, values...)
	return d.room[at:len(d.room):len(d.room)]
}

// hexadecimal says whether s is a key as the runner makes them.
func hexadecimal(s []byte) bool {
	for _, c := range s {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// cell reads the members between key and repeat, once.
func (d *decoder) cell(text []byte) (Record, bool) {
	if r, known := d.known[string(text)]; known {
		return r, true
	}
	r, known := d.cells.known(text)
	if !known {
		var ok bool
		if r, ok = readCell(text); !ok {
			return r, false
		}
	}
	if len(d.known) == kept {
		clear(d.known)
	}
	id := string(text)
	r = d.cells.of(id, r)
	d.known[id] = r
	return r, true
}

// readCell reads them.
func readCell(text []byte) (r Record, ok bool) {
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
	return r, check.Validate() == nil
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
	one := func(c byte) bool {
		found := at < len(text) && text[at] == c
		if found {
			at++
		}
		return found
	}
	one('-')
	if !one('0') {
		p.ok = run() && p.ok
	}
	if one('.') {
		p.ok = run() && p.ok
	}
	if one('e') || one('E') {
		_ = one('+') || one('-')
		p.ok = run() && p.ok
	}
	v, err := strconv.ParseFloat(string(text[:at]), 64)
	p.ok = p.ok && err == nil
	p.text = text[at:]
	return v
}
