package compat_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// The files of a release: a configuration, the state that the release wrote for
// it, and the matching Kuscia. The state file has an unusual name, so that it is
// not in ignore files.
const (
	releasesDir   = "testdata/releases"
	configFile    = "main.tf"
	stateFile     = "state.json"
	kusciaFile    = "kuscia.json"
	terraformFile = "terraform.tfstate"
)

// releases lists the folders of the releases, oldest first.
func releases(t *testing.T) []string {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(releasesDir, "v*"))
	if err != nil || len(folders) == 0 {
		t.Fatalf("no release in %s (%v)", releasesDir, err)
	}
	numbers := func(folder string) (version [3]int) {
		if _, err := fmt.Sscanf(filepath.Base(folder), "v%d.%d.%d", &version[0], &version[1], &version[2]); err != nil {
			t.Fatalf("%s is not named like a release: %v", folder, err)
		}
		return version
	}
	slices.SortFunc(folders, func(a, b string) int {
		left, right := numbers(a), numbers(b)
		return slices.Compare(left[:], right[:])
	})
	return folders
}

// startKuscia starts a sandbox with the objects in a file, or an empty one that
// writes the file.
func startKuscia(t *testing.T, stateFile string) (*sandbox.Sandbox, map[string]string) {
	t.Helper()
	s := acctest.NewSandbox(t, sandbox.Options{StateFile: stateFile}).Sandbox
	return s, map[string]string{"KUSCIA_ENDPOINT": s.Endpoint()}
}

// TestAccStatesOfReleasesPlanEmpty plans with the states of releases, with and
// without a refresh: the plan is empty, and no write is sent to Kuscia.
func TestAccStatesOfReleasesPlanEmpty(t *testing.T) {
	t.Parallel()
	for _, release := range releases(t) {
		t.Run(filepath.Base(release), func(t *testing.T) {
			t.Parallel()
			saved := filepath.Join(t.TempDir(), kusciaFile)
			if err := os.WriteFile(saved, read(t, filepath.Join(release, kusciaFile)), 0o600); err != nil {
				t.Fatal(err)
			}
			s, environment := startKuscia(t, saved)
			c := newCLI(t, environment)
			c.take(filepath.Join(release, configFile), configFile)
			c.take(filepath.Join(release, stateFile), terraformFile)
			for _, refresh := range []string{"-refresh=true", "-refresh=false"} {
				if output, code := c.run("plan", "-no-color", "-input=false", "-detailed-exitcode", refresh); code != 0 {
					t.Errorf("%s: exit code %d, want an empty plan:\n%s", refresh, code, output)
				}
			}
			if queries := s.Count(acctest.PathServingQuery); queries == 0 {
				t.Error("no serving was read: the plan was not about this state")
			}
			// The provider can also destroy the objects of the state.
			c.mustRun("destroy", "-no-color", "-input=false", "-auto-approve")
		})
	}
}

// domainTokens are those of the sandbox; in a repository they look like leaked
// secrets.
var domainTokens = regexp.MustCompile(`"token": "[^"]*"`)

// TestAccRecordRelease stores a state of this checkout as that of a release (make
// record-release).
func TestAccRecordRelease(t *testing.T) {
	if *record == "" {
		t.Skip("records a release with -record VERSION; nothing is tested")
	}
	saved := filepath.Join(t.TempDir(), kusciaFile)
	s, environment := startKuscia(t, saved)
	c := newCLI(t, environment)

	// An imported serving has more private state, and an update writes another
	// state than a create.
	c.take(filepath.Join("testdata", "existing.tf"), configFile)
	c.mustRun("apply", "-no-color", "-input=false", "-auto-approve")
	if err := os.Remove(filepath.Join(c.dir, terraformFile)); err != nil {
		t.Fatal(err)
	}
	c.take(filepath.Join("testdata", configFile), configFile)
	c.mustRun("apply", "-no-color", "-input=false", "-auto-approve", "-var=replicas=1")
	c.mustRun("apply", "-no-color", "-input=false", "-auto-approve")
	if output, code := c.run("plan", "-no-color", "-input=false", "-detailed-exitcode"); code != 0 {
		t.Fatalf("the plan after it: exit code %d\n%s", code, output)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	folder := filepath.Join(releasesDir, "v"+*record)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		configFile: read(t, filepath.Join("testdata", configFile)),
		stateFile:  read(t, filepath.Join(c.dir, terraformFile)),
		kusciaFile: domainTokens.ReplaceAll(read(t, saved), []byte(`"token": ""`)),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	newest := releases(t)
	if last := newest[len(newest)-1]; last != folder {
		t.Errorf("%s was recorded and is older than %s", folder, last)
	}
}
