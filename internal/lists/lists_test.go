package lists

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLists(t *testing.T) {
	words := []string{"ox", "bee", "ant", "ox", "cat", "yak"}
	size := func(word string) int { return len(word) }
	for what, pair := range map[string][2]any{
		"mapped":                  {Map(words, strings.ToUpper), []string{"OX", "BEE", "ANT", "OX", "CAT", "YAK"}},
		"mapped to another type":  {Map([]int{3, 1}, strconv.Itoa), []string{"3", "1"}},
		"mapped, of none":         {Map([]int(nil), strconv.Itoa), []string{}},
		"picked":                  {Where(words, func(word string) bool { return strings.Contains(word, "a") }), []string{"ant", "cat", "yak"}},
		"none is picked":          {Where(words, func(string) bool { return false }), []string(nil)},
		"each once":               {Once(words), []string{"ox", "bee", "ant", "cat", "yak"}},
		"grouped, as they occur":  {By(words, size), [][]string{{"ox", "ox"}, {"bee", "ant", "cat", "yak"}}},
		"grouped, of none":        {By([]string(nil), size), [][]string(nil)},
		"a group has its entries": {len(By(words, func(word string) string { return word })), 5},
	} {
		if diff := cmp.Diff(pair[1], pair[0]); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
}
