package results

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"

	jsonv2 "github.com/go-json-experiment/json"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

const (
	crcOpen  = `,"crc":"`
	crcClose = `"}`
	crcLen   = len(crcOpen) + 8 + len(crcClose)
)

// Encode returns r's line in records.jsonl, without the line feed. It fails
// when r is not valid, see [Row.Validate]. Floats are written in the
// shortest form that reads back bit for bit.
func Encode(r Row) ([]byte, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	line, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("row %s: %w", r.ID, err)
	}
	sum := crc32.Checksum(line, castagnoli)
	line = line[:len(line)-1]
	return fmt.Appendf(line, "%s%08x%s", crcOpen, sum, crcClose), nil
}

// Decode reads one line of records.jsonl. It fails on a wrong checksum, broken
// JSON, a member that is there twice, an invalid row, and, with an error that
// wraps errSchema, on another schema than [SchemaVersion]. Members that it does
// not know are ignored where a checksum vouches for the line, and refused where
// none does: a damaged "crc" is one of them.
func Decode(line []byte) (Row, error) {
	body, vouched, err := stripCRC(line)
	if err != nil {
		return Row{}, err
	}
	var r Row
	if err := jsonv2.Unmarshal(body, &r, jsonv2.RejectUnknownMembers(!vouched)); err != nil {
		var head struct {
			Schema int `json:"schema"`
		}
		if jsonv2.Unmarshal(body, &head) == nil { // another version's row may have other types
			if newer := checkSchema(head.Schema); newer != nil {
				return Row{}, newer
			}
		}
		return Row{}, fmt.Errorf("not a row: %w", err)
	}
	if err := checkSchema(r.Schema); err != nil {
		return Row{}, err
	}
	if err := r.Validate(); err != nil {
		return Row{}, err
	}
	return r, nil
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
