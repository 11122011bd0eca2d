package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ErrSchema is wrapped by the errors that refuse a record or manifest written
// by a newer program.
var ErrSchema = errors.New("written by a newer mercer")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

const (
	crcOpen  = `,"crc":"`
	crcClose = `"}`
	crcLen   = len(crcOpen) + 8 + len(crcClose)
)

// Encode returns r's line in records.jsonl, without the line feed. It fails
// when r is not valid, see [Record.Validate]. Floats are written in the
// shortest form that reads back bit for bit.
func Encode(r Record) ([]byte, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	line, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("record %s: %w", r.Key, err)
	}
	sum := crc32.Checksum(line, castagnoli)
	line = line[:len(line)-1]
	return fmt.Appendf(line, "%s%08x%s", crcOpen, sum, crcClose), nil
}

// Decode reads one line of records.jsonl. It fails on a wrong checksum, broken
// JSON, a member that is there twice, an invalid record, and, with an error that
// wraps [ErrSchema], on a schema newer than [SchemaVersion]. Members that it does
// not know are ignored where a checksum vouches for the line, and refused where
// none does: a damaged "crc" is one of them.
func Decode(line []byte) (Record, error) {
	body, vouched, err := stripCRC(line)
	if err != nil {
		return Record{}, err
	}
	var r Record
	decoder := json.NewDecoder(bytes.NewReader(body))
	if !vouched {
		decoder.DisallowUnknownFields()
	}
	err = decoder.Decode(&r)
	if err == nil {
		err = onlyObject(decoder)
	}
	if err != nil {
		var head struct {
			Schema int `json:"schema"`
		}
		if json.Unmarshal(body, &head) == nil { // a newer record may have other types
			if newer := checkSchema(head.Schema); newer != nil {
				return Record{}, newer
			}
		}
		return Record{}, fmt.Errorf("not a record: %w", err)
	}
	if err := checkSchema(r.Schema); err != nil {
		return Record{}, err
	}
	if again, err := json.Marshal(r); err != nil || !bytes.Equal(again, body) { // what is written as it was read has no member twice
		if name, twice := duplicateKey(body); twice {
			return Record{}, fmt.Errorf("not a record: member %q is there twice", name)
		}
	}
	if err := r.Validate(); err != nil {
		return Record{}, err
	}
	return r, nil
}

func checkSchema(version int) error {
	switch {
	case version > SchemaVersion:
		return fmt.Errorf("schema %d, but this program reads schemas up to %d: %w; update mercer to read it",
			version, SchemaVersion, ErrSchema)
	case version < 1:
		return fmt.Errorf("schema %d is none: the first is 1", version)
	}
	return nil
}

// onlyObject fails where something follows what the decoder has read.
func onlyObject(decoder *json.Decoder) error {
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("something follows the object")
	}
	return nil
}

// duplicateKey finds a member that a JSON object, or one within it, has twice.
// encoding/json would take the later one, and takes names of a record's own
// members in any case; those of maps (grid points, metrics, phases) differ by it.
// Cost: a token at a time, some five times that of reading the record.
func duplicateKey(text []byte) (name string, twice bool) {
	const maps = 2 // depth of their members
	decoder := json.NewDecoder(bytes.NewReader(text))
	var objects []map[string]bool // nil for an array
	named := false                // a value is due, not a name
	for {
		token, err := decoder.Token()
		if err != nil {
			return "", false // its end, or what others refuse
		}
		inObject := len(objects) > 0 && objects[len(objects)-1] != nil
		switch token := token.(type) {
		case json.Delim:
			switch token {
			case '{':
				objects = append(objects, map[string]bool{})
			case '[':
				objects = append(objects, nil)
			default:
				objects = objects[:len(objects)-1]
			}
			named = false
			continue
		case string:
			if inObject && !named {
				name := token
				if len(objects) != maps {
					name = strings.ToLower(strings.ToUpper(name))
				}
				if objects[len(objects)-1][name] {
					return token, true
				}
				objects[len(objects)-1][name], named = true, true
				continue
			}
		}
		named = false
	}
}

// stripCRC checks and removes the checksum member, if there is one; then it says
// so.
func stripCRC(line []byte) (body []byte, vouched bool, err error) {
	line = bytes.TrimSpace(line)
	at := len(line) - crcLen
	if at < 0 || !bytes.HasPrefix(line[at:], []byte(crcOpen)) || !bytes.HasSuffix(line, []byte(crcClose)) {
		return line, false, nil
	}
	text := string(line[at+len(crcOpen) : len(line)-len(crcClose)])
	want, err := strconv.ParseUint(text, 16, 32)
	if err != nil {
		return nil, false, fmt.Errorf("checksum %q is not hexadecimal", text)
	}
	body = append(slices.Clone(line[:at]), '}')
	if got := crc32.Checksum(body, castagnoli); got != uint32(want) {
		return nil, false, fmt.Errorf("checksum is %08x, the line says %08x: the line was changed or damaged", got, want)
	}
	return body, true, nil
}

// Validate says what keeps r from being stored: a schema that is not ours, an
// empty key, an unknown status, a negative repeat, size or usage, or a number that is
// NaN or infinite, which it names.
func (r Record) Validate() error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("record %s: %s", r.Key, fmt.Sprintf(format, args...))
	}
	if err := checkSchema(r.Schema); err != nil {
		return fail("%v", err)
	}
	if r.Key == "" {
		return errors.New("record without a key")
	}
	if !r.Status.known() {
		return fail("unknown status %q", r.Status)
	}
	if all := r.Sizes.All(); r.Repeat < 0 || slices.Min(all[:]) < 0 {
		return fail("negative repeat or size: repeat=%d n=%d m=%d d=%d ell=%d k=%d", r.Repeat, r.N, r.M, r.D, r.Ell, r.K)
	}
	if u := r.Usage; u != nil && (!isFinite(u.CPU) || u.CPU < 0 || u.Peak < 0) {
		return fail("usage of %v s and %d bytes: must be finite and not negative", u.CPU, u.Peak)
	}
	what, bad := "", ""
	undefined := func(kind, name string, v float64) {
		if !isFinite(v) && (what != kind || name < bad) { // the first by name
			what, bad = kind, name
		}
	}
	for name, v := range r.Point {
		undefined("grid variable", name, v)
	}
	for name, v := range r.Phases {
		undefined("phase", name, v)
	}
	for name, m := range r.Metrics.All() {
		undefined("metric", name, m.Value)
	}
	switch what {
	case "metric":
		return fail("metric %s is %v; only finite numbers are stored", bad, r.Metrics.Value(bad))
	case "phase":
		return fail("phase %s is %v; only finite numbers are stored", bad, r.Phases[bad])
	case "grid variable":
		return fail("grid variable %s is %v; only finite numbers are stored", bad, r.Point[bad])
	}
	return nil
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
