package plan

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"mercer/internal/lists"
	"mercer/results"
)

// hashBytes are those of an id, two letters each.
const hashBytes = 16

// setHashes gives every cell the hash of all that determines its numbers: of the data, the
// kernel and the method what they are, not what they are called, but for the ids that name
// random streams. Neither names of variables nor variables that the row does not use are in
// it: to add a value, an axis or a method changes no hash.
func (p *Plan) setHashes() {
	measures := lists.Map(p.Spec.Measure.Texts(), func(name string) string {
		if own := p.Own[name]; own != nil {
			name += " " + string(jsonOf(own))
		}
		return name
	})
	slices.Sort(measures)
	var timing *Timing
	if p.Timed {
		timing = &p.Input.Timing
	}

	taken := map[[hashBytes]byte]int{}
	for _, g := range p.Groups {
		common := struct {
			Schema                             int
			Seed                               uint64
			Dataset, Params, Data, Kernel, Why string
			Measures                           []string
			Measuring                          string
			Timing                             *Timing
		}{results.SchemaVersion, p.Spec.Seed, g.Dataset.ID, g.Dataset.Params, "", "", "", measures, results.Measuring, timing}
		if absent := p.Absent[g.Dataset.ID]; absent != nil {
			common.Why = "absent"
		} else {
			common.Data, common.Kernel = g.Dataset.Fingerprint(), g.Kernel.String()
		}
		ofGroup := hashOf(common)

		for _, f := range g.Fits {
			m := f.Method
			ofMethod := hashOf([]string{hex.EncodeToString(ofGroup[:]), m.ID, m.Use, m.Version, m.Params})
			for _, c := range f.Cells {
				// Cells with one computation under two names have one hash; the second and
				// later ones are numbered.
				c.hash = hashOf(struct {
					Method [hashBytes]byte
					Sizes  [5]int
				}{ofMethod, c.Sizes.Only(m.Uses...).All()})
				if again := taken[c.hash]; again > 0 {
					taken[c.hash]++
					c.hash = hashOf([]string{hex.EncodeToString(c.hash[:]), fmt.Sprint(again)})
					continue
				}
				taken[c.hash] = 1
			}
		}
	}
}

// hashOf hashes a value by its JSON.
func hashOf(v any) [hashBytes]byte {
	sum := sha256.Sum256(jsonOf(v))
	return [hashBytes]byte(sum[:])
}

func jsonOf(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("plan: hash: %v", err)) // texts and numbers alone
	}
	return text
}

// rowHash is that of a cell in one repeat.
func rowHash(cell [hashBytes]byte, repeat int) [hashBytes]byte {
	sum := sha256.Sum256(binary.LittleEndian.AppendUint64(cell[:], uint64(repeat)))
	return [hashBytes]byte(sum[:])
}

// Hash is equal for plans of the same rows, whichever shards they are of.
func (p *Plan) Hash() string {
	whole := *p
	whole.Input.Shard = Shard{}
	return results.PlanOf(whole.IDs())
}
