package script

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"mercer/runner/batch"
)

// Manifest is the Indexed Job of Kubernetes that computes all shards by the script.
const Manifest = "job.yaml"

// claim is a folder of this machine and the claim for the volume that it is.
type claim struct{ name, path string }

var claimName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$`)

// parseClaim reads CLAIM:PATH.
func parseClaim(text string) (claim, error) {
	name, path, _ := strings.Cut(text, ":")
	if !claimName.MatchString(name) || !filepath.IsAbs(path) || strings.Contains(path, ":") {
		return claim{}, fmt.Errorf("--volume %q: write CLAIM:PATH, the name of a PersistentVolumeClaim and the absolute path where this machine and the pods have its volume, without a colon", text)
	}
	return claim{name, filepath.Clean(path)}, nil
}

// claims reads the volumes. It refuses an image without volumes, volumes without an image,
// and a run folder that is on none of them.
func claims(s batch.Settings, dir string) ([]claim, error) {
	if (s.Image == "") != (len(s.Volumes) == 0) {
		return nil, errors.New("--kubernetes IMAGE and --volume CLAIM:PATH: give both; pods need the volume of the run's folder")
	}
	claims, seen := make([]claim, len(s.Volumes)), s.Image == ""
	for i, volume := range s.Volumes {
		var err error
		if claims[i], err = parseClaim(volume); err != nil {
			return nil, err
		}
		relative, err := filepath.Rel(claims[i].path, dir)
		seen = seen || err == nil && filepath.IsLocal(relative)
	}
	if !seen {
		return nil, fmt.Errorf("--volume: pods do not see the run folder %s, which is on none of %s; choose another with --out", dir, strings.Join(s.Volumes, ", "))
	}
	return claims, nil
}

// manifest is the Indexed Job: one pod a shard, of which each is started again twice.
func manifest(o batch.Order) (string, error) {
	claims, err := claims(o.Settings, o.Dir)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# %d shards, %d records in all. Written by mercer submit; to start it: kubectl create -f %s
# %s.
apiVersion: batch/v1
kind: Job
metadata: {generateName: mercer-%.40s-} # names of pods have at most 63 characters
spec:
  completionMode: Indexed
  completions: %[1]d
  parallelism: %[1]d
  backoffLimitPerIndex: 2 # Kubernetes 1.29 and later
  template:
    spec:
      restartPolicy: Never
`, len(o.Frozen.Shards), o.Frozen.Records, Manifest, needs(o.Resources), o.Experiment)
	if uid := os.Getuid(); uid > 0 {
		fmt.Fprintf(&b, "      securityContext: {runAsUser: %d, runAsGroup: %d} # the owner of the run\n", uid, os.Getgid())
	}
	fmt.Fprintf(&b, `      containers:
        - name: shard
          image: %s
          command: [/bin/sh, %s]
`, strconv.Quote(o.Settings.Image), strconv.Quote(o.Path(File)))
	if r := o.Resources; r.CPUs > 0 {
		fmt.Fprintf(&b, "          resources: {requests: {cpu: %d, memory: %dMi}, limits: {memory: %[2]dMi}}\n", r.CPUs, r.Memory>>20)
	}
	fmt.Fprintln(&b, "          volumeMounts:")
	for i, c := range claims {
		fmt.Fprintf(&b, "            - {name: volume-%d, mountPath: %s}\n", i, strconv.Quote(c.path))
	}
	fmt.Fprintln(&b, "      volumes:")
	for i, c := range claims {
		fmt.Fprintf(&b, "        - {name: volume-%d, persistentVolumeClaim: {claimName: %s}}\n", i, strconv.Quote(c.name))
	}
	return b.String(), nil
}
