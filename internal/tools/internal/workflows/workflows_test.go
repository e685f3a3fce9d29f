// Package workflows_test checks the workflows for GitHub with actionlint, and those
// for GitLab with gitlab-ci-local.
package workflows_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rhysd/actionlint"
)

const root = "../../../.."

// TestWorkflows: those of this project, and those to copy.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(root, ".github", "workflows", "*.yml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no workflows: %v", err)
	}
	for _, file := range append(files, toCopy("github-actions.yaml")...) {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{LogWriter: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		problems, err := linter.Lint(file, content, nil)
		if err != nil || len(problems) > 0 {
			t.Error(problems, err)
		}
	}
}

// toCopy are the workflows of the examples with a name.
func toCopy(name string) (files []string) {
	for _, example := range []string{"merge-gate", "drift"} {
		files = append(files, filepath.Join(root, "examples", example, name))
	}
	return files
}

// TestGitLabWorkflow compares those to copy with GitLab's schema, and looks for their stages and jobs.
func TestGitLabWorkflow(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("not with -short: gitlab-ci-local is in the npm registry (make test-long)")
	}
	for _, file := range toCopy("gitlab-ci.yaml") {
		listJobs(t, file)
	}
}

// listJobs lets gitlab-ci-local read a workflow.
func listJobs(t *testing.T, file string) {
	t.Helper()
	project := t.TempDir()
	content, err := os.ReadFile(file)
	if err == nil {
		err = os.WriteFile(filepath.Join(project, ".gitlab-ci.yml"), content, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"git", "init", "-q"},
		{"git", "remote", "add", "origin", "git@gitlab.example:group/project.git"},
		{filepath.Join(os.Getenv("KUSCIA_TEST_NPM"), ".bin", "gitlab-ci-local"), "--list"},
	} {
		command := exec.Command(args[0], args[1:]...)
		command.Dir = project
		if output, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
	}
}
