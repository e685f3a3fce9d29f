package acctest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// CLI returns the Terraform or OpenTofu for acceptance tests: the one in
// TF_ACC_TERRAFORM_PATH, else from PATH. Like terraform-plugin-testing, it
// skips the test without TF_ACC.
//
// The name of the test has to start with TestAcc: make test runs only those
// tests with a CLI.
func CLI(tb testing.TB) string {
	tb.Helper()
	if !strings.HasPrefix(tb.Name(), "TestAcc") && !strings.HasPrefix(tb.Name(), "Benchmark") {
		tb.Fatalf("%s runs a CLI: its name has to start with TestAcc", tb.Name())
	}
	if os.Getenv("TF_ACC") == "" {
		tb.Skip("acceptance tests run with TF_ACC=1")
	}
	if path := os.Getenv("TF_ACC_TERRAFORM_PATH"); path != "" {
		return path
	}
	for _, name := range []string{"terraform", "tofu"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	tb.Fatal("no terraform or tofu in PATH, and TF_ACC_TERRAFORM_PATH is not set")
	return ""
}

// BuiltProvider returns the environment in which a CLI uses the provider that
// was built into a folder, and nothing of the environment of the tests for the
// provider or the CLI.
func BuiltProvider(tb testing.TB, plugins string) []string {
	tb.Helper()
	config := filepath.Join(tb.TempDir(), "cli.rc")
	text := fmt.Sprintf("provider_installation {\n  dev_overrides {\n    \"terraform-kuscia/kuscia\" = %q\n  }\n  direct {}\n}\n", plugins)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
	environment := []string{"TF_CLI_CONFIG_FILE=" + config, "TF_IN_AUTOMATION=1", "CHECKPOINT_DISABLE=1"}
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "KUSCIA_") && !strings.HasPrefix(variable, "TF_") {
			environment = append(environment, variable)
		}
	}
	return environment
}

// CommandOutput runs a command and returns its output and exit code. The output
// includes the errors unless the command has another place for them.
func CommandOutput(tb testing.TB, cmd *exec.Cmd) (output string, code int) {
	tb.Helper()
	var out bytes.Buffer
	cmd.Stdout = &out
	if cmd.Stderr == nil {
		cmd.Stderr = &out
	}
	err := cmd.Run()
	if cmd.ProcessState == nil {
		tb.Fatalf("%v: %v", cmd.Args, err)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}
