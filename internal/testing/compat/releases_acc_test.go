package compat_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/hashicorp/go-version"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
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

// releases are the folders of the releases.
func releases(t *testing.T) []string {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(releasesDir, "v*"))
	if err != nil || len(folders) == 0 {
		t.Fatalf("no release in %s (%v)", releasesDir, err)
	}
	return folders
}

// startKuscia starts a sandbox with the objects in a file, or an empty one that
// writes the file, and a folder with the files of a test.
func startKuscia(t *testing.T, stateFile string, files map[string]string) (*sandbox.Sandbox, *acctest.Workspace) {
	t.Helper()
	e := acctest.NewSandbox(t, sandbox.Options{StateFile: stateFile})
	w := e.NewWorkspace(t)
	for name, from := range files {
		w.Write(name, testfile.Read(t, from))
	}
	w.Init()
	return e.Sandbox, w
}

// TestAccStatesOfReleasesPlanEmpty plans with the states of releases, with and
// without a refresh: the plan is empty, and no write is sent to Kuscia.
func TestAccStatesOfReleasesPlanEmpty(t *testing.T) {
	t.Parallel()
	for _, release := range releases(t) {
		t.Run(filepath.Base(release), func(t *testing.T) {
			t.Parallel()
			saved := filepath.Join(t.TempDir(), kusciaFile)
			testfile.Write(t, saved, testfile.Read(t, filepath.Join(release, kusciaFile)))
			s, w := startKuscia(t, saved, map[string]string{configFile: filepath.Join(release, configFile), terraformFile: filepath.Join(release, stateFile)})
			for _, refresh := range []string{"-refresh=true", "-refresh=false"} {
				w.Run(0, "plan", "-input=false", "-detailed-exitcode", refresh)
			}
			if queries := s.Count(acctest.PathServingQuery); queries == 0 {
				t.Error("no serving was read: the plan was not about this state")
			}
			// The provider can also destroy the objects of the state.
			w.Run(0, "destroy", "-input=false", "-auto-approve")
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
	recorded := version.Must(version.NewVersion(*record))
	for _, folder := range releases(t) {
		if earlier := version.Must(version.NewVersion(filepath.Base(folder))); !recorded.GreaterThan(earlier) {
			t.Fatalf("%s is recorded already, and %s is not newer", folder, recorded)
		}
	}
	saved := filepath.Join(t.TempDir(), kusciaFile)
	s, w := startKuscia(t, saved, map[string]string{configFile: filepath.Join("testdata", "existing.tf")})

	// An imported serving has more private state, and an update writes another
	// state than a create.
	w.Apply()
	w.Write(terraformFile, "")
	w.Write(configFile, testfile.Read(t, filepath.Join("testdata", configFile)))
	w.Run(0, "apply", "-input=false", "-auto-approve", "-var=replicas=1")
	w.Apply()
	w.Plan(acctest.PlanEmpty)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	folder := filepath.Join(releasesDir, "v"+*record)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		configFile: testfile.Read(t, filepath.Join("testdata", configFile)),
		stateFile:  testfile.Read(t, filepath.Join(w.Dir, terraformFile)),
		kusciaFile: domainTokens.ReplaceAllString(testfile.Read(t, saved), `"token": ""`),
	} {
		testfile.Write(t, filepath.Join(folder, name), content)
	}
}
