package acctest

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"testing"

	"github.com/hashicorp/go-version"
)

// HasWriteOnly reports whether the CLI supports write-only attributes
// (Terraform 1.11, OpenTofu 1.11).
func HasWriteOnly(tb testing.TB) bool { tb.Helper(); return isFrom(tb, 11) }

// HasImportByIdentity reports whether the CLI supports import by identity
// (Terraform 1.12, OpenTofu 1.12).
func HasImportByIdentity(tb testing.TB) bool { tb.Helper(); return isFrom(tb, 12) }

// isFrom reports whether the CLI has version 1.minor or later.
func isFrom(tb testing.TB, minor int) bool {
	tb.Helper()
	release, err := cliVersion(CLI(tb))
	if err != nil {
		tb.Fatalf("reading the version of the CLI: %v", err)
	}
	return release.major > 1 || release.major == 1 && release.minor >= minor
}

// RequireWriteOnly skips a test if the CLI is too old for it.
func RequireWriteOnly(tb testing.TB) {
	tb.Helper()
	requireFrom(tb, 11, "write-only attributes")
}

// RequireRemovedBlocks skips a test if the CLI is too old for them.
func RequireRemovedBlocks(tb testing.TB) {
	tb.Helper()
	requireFrom(tb, 7, "removed blocks")
}

func requireFrom(tb testing.TB, minor int, feature string) {
	tb.Helper()
	if !isFrom(tb, minor) {
		tb.Skipf("%s need Terraform 1.%d or OpenTofu 1.%[2]d", feature, minor)
	}
}

type cliRelease struct{ major, minor int }

// cliReleases caches the versions of CLIs by path.
var cliReleases = struct {
	sync.Mutex
	known map[string]cliRelease
}{known: map[string]cliRelease{}}

func cliVersion(path string) (cliRelease, error) {
	cliReleases.Lock()
	defer cliReleases.Unlock()
	if release, ok := cliReleases.known[path]; ok {
		return release, nil
	}
	release, err := askVersion(path)
	if err == nil {
		cliReleases.known[path] = release
	}
	return release, err
}

func askVersion(path string) (cliRelease, error) {
	command := exec.Command(path, "version", "-json")
	command.Env = append(os.Environ(), "TF_CLI_CONFIG_FILE="+os.DevNull, "CHECKPOINT_DISABLE=1")
	output, err := command.Output()
	if err != nil {
		return cliRelease{}, fmt.Errorf("run %s: %w", path, err)
	}
	var said struct {
		Version string `json:"terraform_version"`
	}
	if err := json.Unmarshal(output, &said); err != nil {
		return cliRelease{}, fmt.Errorf("read its answer: %w", err)
	}
	var release cliRelease
	if _, err := fmt.Sscanf(said.Version, "%d.%d.", &release.major, &release.minor); err != nil {
		return cliRelease{}, fmt.Errorf("read the version %q: %w", said.Version, err)
	}
	return release, nil
}

// RequireTerraform skips the test if the CLI lacks a feature that Terraform has
// since a version and OpenTofu does not have.
func RequireTerraform(tb testing.TB, from *version.Version, feature string) {
	tb.Helper()
	requireTerraform(tb, ">= "+from.String(), fmt.Sprintf("%s is needed, which is in Terraform from %s on", feature, from))
}

// RequireTerraformTexts skips the test unless the CLI prints plans as in the files of the
// tests. Terraform 1.16 omits what is null in a generated configuration, for example.
func RequireTerraformTexts(tb testing.TB) {
	tb.Helper()
	requireTerraform(tb, "~> 1.11.0", "the texts are those of Terraform 1.11")
}

// requireTerraform skips the test unless the CLI is a Terraform of some versions.
func requireTerraform(tb testing.TB, versions, reason string) {
	tb.Helper()
	command := exec.Command(CLI(tb), "version")
	command.Env = append(os.Environ(), "CHECKPOINT_DISABLE=1")
	output, err := command.Output()
	if err != nil {
		tb.Fatalf("the version of the CLI: %v", err)
	}
	other, err := otherThan(string(output), versions)
	if err != nil {
		tb.Fatal(err)
	}
	if other != "" {
		tb.Skipf("%s; the CLI is %s", reason, other)
	}
}

// versionPattern matches the first line of the output of "version".
var versionPattern = regexp.MustCompile(`^(Terraform|OpenTofu) v(\S+)`)

// otherThan returns the CLI in the output if it is no Terraform of some versions, else "".
// Previews of a version count as that version.
func otherThan(output, versions string) (cli string, err error) {
	match := versionPattern.FindStringSubmatch(output)
	if match == nil {
		return "", fmt.Errorf("neither Terraform nor OpenTofu prints %q as its version", output)
	}
	have, err := version.NewVersion(match[2])
	if err != nil {
		return "", fmt.Errorf("the version of the CLI: %w", err)
	}
	wanted, err := version.NewConstraint(versions)
	if err != nil {
		return "", fmt.Errorf("the wanted versions of the CLI: %w", err)
	}
	if match[1] == "Terraform" && wanted.Check(have.Core()) {
		return "", nil
	}
	return match[1] + " " + match[2], nil
}
