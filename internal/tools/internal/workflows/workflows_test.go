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

func lint(t *testing.T, name, content string) []*actionlint.Error {
	t.Helper()
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{LogWriter: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	found, err := linter.Lint(name, []byte(content), nil)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestWorkflows: those of this project, and those to copy.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(root, ".github", "workflows", "*.yml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no workflows: %v", err)
	}
	for _, file := range append(files, filepath.Join(root, "examples", "merge-gate", "github-actions.yaml")) {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range lint(t, file, string(content)) {
			t.Error(problem)
		}
	}
}

// lintGitLab compares a workflow with GitLab's schema, and looks for its stages
// and jobs.
func lintGitLab(t *testing.T, content string) (problems string, ok bool) {
	t.Helper()
	project := t.TempDir()
	if err := os.WriteFile(filepath.Join(project, ".gitlab-ci.yml"), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"git", "init", "-q"},
		{"git", "remote", "add", "origin", "git@gitlab.example:group/project.git"},
		{filepath.Join(os.Getenv("KUSCIA_TEST_NPM"), ".bin", "gitlab-ci-local"), "--list"},
	} {
		command := exec.Command(args[0], args[1:]...)
		command.Dir = project
		output, err := command.CombinedOutput()
		if err != nil {
			return err.Error() + "\n" + string(output), false
		}
	}
	return "", true
}

// TestGitLabWorkflow: the one to copy.
func TestGitLabWorkflow(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("not with -short: gitlab-ci-local is in the npm registry (make test-long)")
	}
	content, err := os.ReadFile(filepath.Join(root, "examples", "merge-gate", "gitlab-ci.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if problems, ok := lintGitLab(t, string(content)); !ok {
		t.Error(problems)
	}
}
