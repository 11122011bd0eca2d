//go:build unix

package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"mercer/runner/batch"
	"mercer/runner/batch/script"
)

// indexedJob is what a manifest may have.
type indexedJob struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct {
		GenerateName string `yaml:"generateName"`
	}
	Spec struct {
		CompletionMode       string `yaml:"completionMode"`
		Completions          int
		Parallelism          int
		BackoffLimitPerIndex int `yaml:"backoffLimitPerIndex"`
		Template             struct {
			Spec struct {
				RestartPolicy   string `yaml:"restartPolicy"`
				SecurityContext struct {
					RunAsUser  int `yaml:"runAsUser"`
					RunAsGroup int `yaml:"runAsGroup"`
				} `yaml:"securityContext"`
				Containers []struct {
					Name, Image  string
					Command      []string
					Resources    struct{ Requests, Limits map[string]string }
					VolumeMounts []struct {
						Name      string
						MountPath string `yaml:"mountPath"`
					} `yaml:"volumeMounts"`
				}
				Volumes []struct {
					Name  string
					Claim struct {
						Name string `yaml:"claimName"`
					} `yaml:"persistentVolumeClaim"`
				}
			}
		}
	}
}

// TestKubernetes: the Indexed Job has as many tasks as shards, and its pods run the script
// on the volumes; the folder gets its files again, as they were but for the resources.
func TestKubernetes(t *testing.T) {
	root := filepath.Dir(t.TempDir()) // of all temporary folders of this test
	j := newJobScript(t, twoHundred, "--shards", "7", "--cpus", "3", "--kubernetes", "math/mercer:1", "--volume", "runs:"+root, "--volume", "uci:/data")
	path := filepath.Join(j.dir, "run", batch.Folder, script.Manifest)
	if !strings.Contains(j.text, "kubectl create -f '"+path+"'\n") {
		t.Errorf("no command in\n%s", j.text)
	}
	job := readJob(t, path)
	pod := job.Spec.Template.Spec
	shard := pod.Containers[0]
	for what, ok := range map[string]bool{
		"kind":     job.APIVersion == "batch/v1" && job.Kind == "Job" && job.Metadata.GenerateName == "mercer-two-hundred-",
		"tasks":    job.Spec.CompletionMode == "Indexed" && job.Spec.Completions == 7 && job.Spec.Parallelism == 7 && job.Spec.BackoffLimitPerIndex == 2,
		"restart":  pod.RestartPolicy == "Never", // which backoffLimitPerIndex wants
		"owner":    pod.SecurityContext.RunAsUser == os.Getuid() && (os.Getuid() == 0 || pod.SecurityContext.RunAsGroup == os.Getgid()),
		"command":  shard.Image == "math/mercer:1" && len(shard.Command) == 2 && shard.Command[0] == "/bin/sh" && shard.Command[1] == j.path(),
		"cpu":      shard.Resources.Requests["cpu"] == "3" && len(shard.Resources.Limits) == 1,
		"memory":   strings.HasSuffix(shard.Resources.Limits["memory"], "Mi") && shard.Resources.Limits["memory"] == shard.Resources.Requests["memory"],
		"volumes":  len(pod.Volumes) == 2 && pod.Volumes[0].Claim.Name == "runs" && pod.Volumes[1].Claim.Name == "uci",
		"mounts":   len(shard.VolumeMounts) == 2 && shard.VolumeMounts[0].MountPath == root && shard.VolumeMounts[1].MountPath == "/data",
		"together": pod.Volumes[0].Name == shard.VolumeMounts[0].Name && pod.Volumes[1].Name == shard.VolumeMounts[1].Name && pod.Volumes[0].Name != pod.Volumes[1].Name,
	} {
		if !ok {
			t.Errorf("%s: %+v", what, job)
		}
	}
	j.task(0, "shard 6 of 7, ", "JOB_COMPLETION_INDEX=6")

	for _, file := range []string{path, j.path()} {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	if text := j.mercer(0, "submit", "run"); !strings.Contains(text, "kubectl create -f ") {
		t.Errorf("no command in\n%s", text)
	}
	again := readJob(t, path)
	again.Spec.Template.Spec.Containers[0].Resources = shard.Resources
	if diff := cmp.Diff(job, again); diff != "" {
		t.Errorf("written again (-before +after):\n%s", diff)
	}
	j.task(0, "shard 5 of 7, ", "JOB_COMPLETION_INDEX=5")
}

func readJob(t *testing.T, path string) (job indexedJob) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	decoder := yaml.NewDecoder(file)
	decoder.KnownFields(true)
	if err := decoder.Decode(&job); err != nil {
		t.Fatal(err)
	}
	return job
}

// TestKubernetesRefuses what no pod could compute; nothing is written.
func TestKubernetesRefuses(t *testing.T) {
	j := newJobScript(t, twoHundred, "--dry-run", "--kubernetes", "mercer", "--volume", "all:/")
	if !strings.Contains(j.text, "\nkind: Job\n") {
		t.Errorf("a dry run says\n%s", j.text)
	}
	for says, args := range map[string][]string{
		"give both":                   {"script", "--kubernetes", "mercer"},
		"IMAGE and --volume":          {"script", "--volume", "runs:/"},
		"which is on none of runs:/":  {"script", "--kubernetes", "mercer", "--volume", "runs:/nowhere"},
		`--volume "runs": write`:      {"script", "--kubernetes", "mercer", "--volume", "runs"},
		`--volume "runs:here": write`: {"script", "--kubernetes", "mercer", "--volume", "runs:here"},
		`--volume "My_Runs:/": write`: {"script", "--kubernetes", "mercer", "--volume", "My_Runs:/"},
		"only with --engine script":   {"slurm", "--kubernetes", "mercer", "--volume", "runs:/"},
	} {
		if text := j.mercer(2, append([]string{"submit", "spec.yaml", "--out", "run", "--engine"}, args...)...); !strings.Contains(text, says) {
			t.Errorf("%v: no %q in\n%s", args, says, text)
		}
	}
	if _, err := os.Stat(filepath.Join(j.dir, "run")); err == nil {
		t.Error("what is refused writes")
	}
}
