//go:build system && unix

package cmd

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"mercer/runner/batch"
	"mercer/runner/batch/script"
)

// TestKubernetesSchema: the manifest is a Job of k8s.io/api, decoded strictly, and what is
// not one is refused.
func TestKubernetesSchema(t *testing.T) {
	const module = "../runner/batch/script/schema"
	download := exec.Command("go", "mod", "download")
	download.Dir = module
	if text, err := download.CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: the modules of %s cannot be downloaded, so that no manifest is checked by the types of Kubernetes: %v\n%s", module, err, text)
	}
	schema := filepath.Join(t.TempDir(), "schema")
	if text, err := exec.Command("go", "build", "-C", module, "-o", schema, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	root := filepath.Dir(t.TempDir()) // of all temporary folders of this test
	j := newJobScript(t, twoHundred, "--shards", "7", "--cpus", "3", "--kubernetes", "math/mercer:1", "--volume", "runs:"+root, "--volume", "uci:/data")
	text, err := os.ReadFile(filepath.Join(j.dir, "run", batch.Folder, script.Manifest))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ from, to, says string }{
		{"", "", ""},
		{"completionMode:", "completionmode:", `unknown field "spec.completionmode"`},
		{"restartPolicy:", "restart:", `unknown field "spec.template.spec.restart"`},
		{"parallelism: 7", "completions: 7", `key "completions" already set`},
		{"parallelism: 7", "parallelism: seven", "cannot unmarshal string"},
		{"cpu: 3", "cpu: three", "quantities must match"},
		{"claimName:", "claim:", `unknown field "spec.template.spec.volumes[0].persistentVolumeClaim.claim"`},
	} {
		t.Run(c.to, func(t *testing.T) {
			if !strings.Contains(string(text), c.from) {
				t.Fatalf("no %q in\n%s", c.from, text)
			}
			path := filepath.Join(t.TempDir(), script.Manifest)
			if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(text), c.from, c.to)), 0o600); err != nil {
				t.Fatal(err)
			}
			said, err := exec.Command(schema, path).CombinedOutput()
			if (err == nil) != (c.says == "") || !strings.Contains(string(said), c.says) {
				t.Errorf("%v, %s, want %q", err, said, c.says)
			}
		})
	}
}
