package claims

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"sync"
	"testing"
	"text/template"
)

// TestMain sees to it that the tests reach the words of every code from data, where all of
// them run.
func TestMain(m *testing.M) {
	flag.Parse()
	var lock sync.Mutex
	reached := map[string]bool{}
	wordFuncs["reached"] = func(name string) string {
		lock.Lock()
		defer lock.Unlock()
		reached[name] = true
		return ""
	}
	define := regexp.MustCompile(`{{define ("[^"]+")}}`)
	templates = template.Must(template.New("words").Funcs(wordFuncs).Parse(define.ReplaceAllString(wordsText, "$0{{reached $1}}")))
	code := m.Run()

	if whole := flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.skip").Value.String() == ""; code == 0 && whole {
		var missed []string
		for _, found := range define.FindAllStringSubmatch(wordsText, -1) {
			if name := found[1][1 : len(found[1])-1]; !reached[name] {
				missed = append(missed, name)
			}
		}
		if len(missed) > 0 {
			fmt.Printf("no test reaches these words from data: %q\n", slices.Sorted(slices.Values(missed)))
			code = 1
		}
	}
	os.Exit(code)
}
