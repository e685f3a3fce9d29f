package acctest

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/hashicorp/go-version"
)

// RequireTerraform skips the test if the CLI lacks a feature that Terraform has
// since a version and OpenTofu does not have.
func RequireTerraform(tb testing.TB, from *version.Version, feature string) {
	tb.Helper()
	command := exec.Command(CLI(tb), "version")
	command.Env = append(os.Environ(), "CHECKPOINT_DISABLE=1")
	output, err := command.Output()
	if err != nil {
		tb.Fatalf("the version of the CLI: %v", err)
	}
	have, err := lacking(string(output), from)
	if err != nil {
		tb.Fatal(err)
	}
	if have != "" {
		tb.Skipf("%s is needed, which is in Terraform from %s on; the CLI is %s", feature, from, have)
	}
}

// versionPattern matches the first line of the output of "version".
var versionPattern = regexp.MustCompile(`^(Terraform|OpenTofu) v(\S+)`)

// lacking returns the CLI in the output if it lacks a feature that Terraform
// has since a version, else "". Previews of that version have it.
func lacking(output string, from *version.Version) (cli string, err error) {
	match := versionPattern.FindStringSubmatch(output)
	if match == nil {
		return "", fmt.Errorf("neither Terraform nor OpenTofu prints %q as its version", output)
	}
	have, err := version.NewVersion(match[2])
	if err != nil {
		return "", fmt.Errorf("the version of the CLI: %w", err)
	}
	if match[1] == "Terraform" && have.Core().GreaterThanOrEqual(from) {
		return "", nil
	}
	return match[1] + " " + match[2], nil
}
