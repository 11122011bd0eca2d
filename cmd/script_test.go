package cmd

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// asMercer makes the test binary act as mercer, for tests that kill it.
const asMercer = "MERCER_TEST_AS_MERCER"

func TestMain(m *testing.M) {
	if os.Getenv(asMercer) != "" || len(os.Args) > 1 && os.Args[1] == "worker" { // which a run has started
		os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	testscript.Main(m, map[string]func(){
		"mercer": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs testdata/script: one file a subcommand or exit code. Scripts
// name exit codes by the command exits.
func TestScripts(t *testing.T) {
	schema, err := filepath.Abs("../experiments/spec.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("SCHEMA", schema)
			e.Setenv("MERCER_CACHE", filepath.Join(e.WorkDir, "cache"))
			e.Setenv("MERCER_DATA", "")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// exits CODE COMMAND ARGS... runs a command and checks its exit code; what it
// printed is compared by stdout and stderr as usual.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGS...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := "0"
	if err != nil {
		code = exitCode(err)
	}
	if code != args[0] {
		ts.Fatalf("%v exits with %s, want %s\nstdout:\n%s\nstderr:\n%s", args[1:], code, args[0], ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}
