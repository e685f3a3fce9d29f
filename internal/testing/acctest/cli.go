package acctest

import (
	"os"
	"os/exec"
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
