package examplestest_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// inPath puts folders before those in which a project finds its programs.
func (p *project) inPath(dirs ...string) {
	for i, variable := range p.environment {
		if path, ok := strings.CutPrefix(variable, "PATH="); ok {
			p.environment[i] = "PATH=" + strings.Join(append(dirs, path), string(os.PathListSeparator))
		}
	}
}

// with is the project with further variables.
func (p *project) with(variables ...string) *project {
	other := *p
	other.environment = slices.Concat(p.environment, variables)
	return &other
}

// failedPlan is a resource whose plan fails late: there is a plan file.
const failedPlan = `resource "terraform_data" "failed" {
  lifecycle {
    precondition {
      condition     = kuscia_serving.glm.serving_id == ""
      error_message = "The plan fails."
    }
  }
}
`

// testMergeGate runs the gate over the rollout that can replace a serving, to
// each of its ends, and then the workflows.
func testMergeGate(t *testing.T, e example) {
	acctest.CLI(t) // skips before anything is built
	env := fixedNames(t)
	p := newProject(t, at(env), named(t, "rollouts/replace"), e)
	p.inPath(must[string](t)(reviewDir()))
	p.init(t)
	gate := filepath.Join(p.root, "merge-gate", "gate.sh")
	shorter := `-var=command=["./secretflow_serving"]`
	passes := func(p *project, code int, args ...string) {
		t.Helper()
		p.program(t, code, gate, append([]string{"-no-color"}, args...)...)
	}
	refused := func(p *project, reason string, args ...string) {
		t.Helper()
		expectIn(t, p.program(t, 1, gate, append([]string{"-no-color"}, args...)...), "This plan is refused:", reason)
	}

	passes(p, 2) // to create
	p.run(t, 0, "apply", "-no-color", "-auto-approve", "plan.bin")
	passes(p, 0)
	passes(p.with("NAME=live"), 1, "-var=no_such_variable=1")
	expectIn(t, reviewOf(t, p), "<!-- kuscia-review live -->", "**Kuscia:** The plan or its review failed")
	write(t, filepath.Join(p.dir, "failed.tf"), failedPlan)
	passes(p, 1)
	expectIn(t, reviewOf(t, p), "<!-- kuscia-review -->", "**Kuscia:** The plan failed and cannot be applied.")
	if _, err := os.Stat(filepath.Join(p.dir, "plan.bin")); err == nil {
		t.Error("a plan that failed, or the one before it, can be applied")
	}
	p.clean(t, "failed.tf")

	refused(p, `kuscia_serving.glm: interrupted: replaced`, shorter)
	expectIn(t, reviewOf(t, p), "<!-- kuscia-review -->", "**Kuscia:** This plan interrupts the serving `glm`")
	passes(p.with("ALLOW=kuscia_serving.other kuscia_serving.glm"), 2, shorter)
	passes(p.with("FAIL_ON="), 2, shorter)
	refused(p.with("FAIL_ON=change", "NAME=live"), "kuscia_serving.glm", shorter)
	expectIn(t, reviewOf(t, p), "<!-- kuscia-review live -->")

	// A party less is a replacement, with its reason.
	p.replace(t, `["alice", "bob"]`, `["alice"]`)
	refused(p, `kuscia_serving.glm: interrupted: replaced, because of "parties.bob" (Kuscia cannot add or remove parties of a live serving)`)
	p.replace(t, `["alice"]`, `["alice", "bob"]`)

	refused(p, "kuscia_serving.glm: ends", "-destroy")

	// A review that fails passes nothing.
	p.program(t, 1, gate, "-no-color", "-var=command=[\"x\"]")
	passes(p.with("FAIL_ON=no-such-category"), 1)
	expectIn(t, reviewOf(t, p), "<!-- kuscia-review -->", "**Kuscia:** The plan or its review failed")

	// An update goes on, and so does the replacement of a tainted one.
	p.replace(t, "replicas = 2", "replicas = 3")
	passes(p, 2)
	p.run(t, 0, "taint", "kuscia_serving.glm")
	passes(p, 2)
	p.run(t, 0, "untaint", "kuscia_serving.glm")
	p.replace(t, "replicas = 3", "replicas = 2")

	write(t, filepath.Join(p.dir, "check.tf"), "check \"never\" {\n  assert {\n    condition     = kuscia_serving.glm.initiator == \"bob\"\n    error_message = \"alice it is.\"\n  }\n}\n")
	refused(p, `check.never: fails: "alice it is."`)
	p.clean(t, "check.tf")
	testAtlantis(t, p)
	p.run(t, 0, "destroy", "-no-color", "-auto-approve")

	for _, workflow := range []func(*testing.T, *pipeline){testGitHub, testGitLab} {
		workflow(t, newPipeline(t, p))
	}
}

// reviewOf is the text that a job comments.
func reviewOf(t *testing.T, p *project) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(p.dir, "review.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// workflowOf reads a workflow of the example.
func workflowOf(t *testing.T, p *project, name string, into any) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(p.root, "merge-gate", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(content, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// testAtlantis runs the step that reviews a plan of Atlantis, whose file has only
// fields that Atlantis documents.
func testAtlantis(t *testing.T, p *project) {
	t.Helper()
	type stage struct{ Steps []any }
	var config struct {
		Version  int
		Projects []struct {
			Name, Dir, Workflow string
			ApplyRequirements   []string `yaml:"apply_requirements"`
		}
		Workflows map[string]struct{ Plan, Apply stage }
	}
	content := must[[]byte](t)(os.ReadFile(filepath.Join(p.root, "merge-gate", "atlantis.yaml")))
	decoder := yaml.NewDecoder(bytes.NewReader(content))
	decoder.KnownFields(true)
	if err := decoder.Decode(&config); err != nil || config.Version != 3 {
		t.Fatalf("atlantis.yaml: version %d, %v", config.Version, err)
	}
	if requirements := config.Projects[0].ApplyRequirements; !slices.Equal(requirements, []string{"approved", "mergeable"}) {
		t.Errorf("apply requires %v", requirements)
	}
	workflow := config.Workflows[config.Projects[0].Workflow]
	if !slices.Equal(workflow.Apply.Steps, []any{"apply"}) {
		t.Errorf("apply does more than the plan: %v", workflow.Apply.Steps)
	}
	steps := workflow.Plan.Steps
	review, ok := steps[len(steps)-1].(map[string]any)
	if !ok || len(steps) != 3 {
		t.Fatalf("the steps are %v", steps)
	}
	file := filepath.Join(t.TempDir(), "production.tfplan")
	inCI := p.with("PLANFILE=" + file)
	p.run(t, 0, "plan", "-out="+file)
	expectIn(t, inCI.program(t, 0, "sh", "-c", review["run"].(string)), "Nothing changes.")
	p.run(t, 0, "plan", "-out="+file, `-var=command=["./secretflow_serving"]`)
	expectIn(t, inCI.program(t, 1, "sh", "-c", review["run"].(string)), `This plan interrupts the serving "glm"`, "This plan is refused:")
	if _, err := os.Stat(file); err == nil {
		t.Error("a plan that is refused can be applied")
	}
}

// pipeline is a project in a CI job, with programs that keep the comments in a
// file instead of sending them to a server.
type pipeline struct {
	*project
	jobs     string // a folder with what jobs share
	comments string // as the API lists them
}

// fakeServer is the part of a program that answers as GitHub or GitLab, and keeps
// the comment 41. It has the body in a file, and writes what it was called with.
const fakeServer = `
case "$*" in
*/user) exec echo '{"id": 5}' ;;
*/pulls/7*|*/merge_requests/7) exec jq -nr '{sha: "new", head: {sha: "new"}} | '"${filter:-.}" ;;
esac
printf '%s\n' "$*" >>"$JOBS/calls"
if [ -z "$body" ]; then
  exec jq -r "${filter:-.}" "$JOBS/comments.json"
fi
jq --arg body "$(cat "$body")" '[.[] | select(.id != 41)] + [{id: 41, user: {login: "github-actions[bot]"}, author: {id: 5}, body: $body}]' "$JOBS/comments.json" >"$JOBS/comments.new"
mv "$JOBS/comments.new" "$JOBS/comments.json"
`

// foreignComment has the mark, and is by somebody else.
const foreignComment = `[{"id": 40, "user": {"login": "mallory"}, "author": {"id": 6}, "body": "<!-- kuscia-review production -->"}]`

const fakeGH = `#!/bin/sh
set -eu
calls=$* body= filter=
while [ $# -gt 0 ]; do
  case $1 in
  --jq) filter=$2; shift ;;
  -F) body=${2#body=@}; shift ;;
  esac
  shift
done
set -- "$calls"
` + fakeServer

const fakeCurl = `#!/bin/sh
set -eu
case "$*" in *file://*) exec "$REAL_CURL" "$@" ;; esac
calls=$* body= filter=
while [ $# -gt 0 ]; do
  case $1 in
  --data-urlencode) body=${2#body@}; shift ;;
  esac
  shift
done
set -- "$calls"
` + fakeServer

// newPipeline makes a release of the review, from which the jobs install it.
func newPipeline(t *testing.T, p *project) *pipeline {
	t.Helper()
	for _, name := range []string{"bash", "curl", "gpg", "unzip", "sha256sum"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("the jobs need it: ", err)
		}
	}
	jobs := t.TempDir()
	curl, _ := exec.LookPath("curl") // found above
	for name, text := range map[string]string{"bin/gh": fakeGH, "bin/curl": fakeCurl, "comments.json": foreignComment, "output": "", "path": ""} {
		file := filepath.Join(jobs, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// gpg has a socket there, whose path must be short.
	keys, err := os.MkdirTemp("", "gpg") //nolint:usetesting // that of the test is too long
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = exec.Command("gpgconf", "--homedir", keys, "--kill", "all").Run()
		_ = os.RemoveAll(keys)
	})
	for _, script := range []string{"gate.sh", "install.sh"} {
		content, err := os.ReadFile(filepath.Join(p.root, "merge-gate", script))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(p.dir, script), content, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	inCI := p.with("JOBS="+jobs, "REAL_CURL="+curl, "GNUPGHOME="+keys, "PLAN_KEY=a long random text", "NAME=production", "TF_CLI_ARGS=-no-color",
		"KUSCIA_REVIEW_RELEASES=file://"+jobs, "KUSCIA_REVIEW_VERSION=0.1.0", "KUSCIA_REVIEW_SHA256="+releaseReview(t, jobs))
	// The installed review has to be found.
	inCI.environment = append(inCI.environment, "TF=terraform", "PATH="+strings.Join([]string{filepath.Join(jobs, "bin"), must[string](t)(jqDir()), p.path}, string(os.PathListSeparator)))
	return &pipeline{project: inCI, jobs: jobs, comments: filepath.Join(jobs, "comments.json")}
}

// releaseReview writes the archive of a release and returns its sum.
func releaseReview(t *testing.T, dir string) string {
	t.Helper()
	program, err := os.ReadFile(filepath.Join(must[string](t)(reviewDir()), "kuscia-review"))
	if err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(dir, "v0.1.0", "kuscia-review_0.1.0_linux_amd64.zip")
	if err := os.MkdirAll(filepath.Dir(archive), 0o755); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(archive)
	if err != nil {
		t.Fatal(err)
	}
	writer := zip.NewWriter(file)
	header := &zip.FileHeader{Name: "kuscia-review", Method: zip.Store}
	header.SetMode(0o755)
	entry, err := writer.CreateHeader(header)
	if err == nil {
		_, err = entry.Write(program)
	}
	if err == nil {
		err = writer.Close()
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// comment is the comment of the jobs, and what the program was called with for it.
func (p *pipeline) comment(t *testing.T) (body, call string) {
	t.Helper()
	content, err := os.ReadFile(p.comments)
	if err != nil {
		t.Fatal(err)
	}
	var list []struct{ Body string }
	if err := json.Unmarshal(content, &list); err != nil || len(list) != 2 {
		t.Fatalf("the comments are %s (%v)", content, err)
	}
	calls, err := os.ReadFile(filepath.Join(p.jobs, "calls"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(calls)), "\n")
	return list[1].Body, lines[len(lines)-1]
}

// clean removes files, such as what the next job does not have.
func (p *project) clean(t *testing.T, files ...string) {
	t.Helper()
	for _, file := range files {
		if err := os.Remove(filepath.Join(p.dir, file)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}

// testGitHub runs the steps of the workflow for GitHub, as a runner does.
func testGitHub(t *testing.T, p *pipeline) {
	t.Helper()
	type step struct {
		Name, Run string
		Env       map[string]string
	}
	var workflow struct {
		Concurrency any
		Jobs        map[string]struct {
			Concurrency any
			Steps       []step
		}
	}
	workflowOf(t, p.project, "github-actions.yaml", &workflow)
	if plan := workflow.Jobs["plan"].Concurrency; workflow.Concurrency != nil || plan == nil || workflow.Jobs["apply"].Concurrency != nil {
		t.Errorf("a push cancels more than a plan, or not that: %v, %v", workflow.Concurrency, plan)
	}
	output := filepath.Join(p.jobs, "output")
	ci := p.with("GITHUB_PATH="+filepath.Join(p.jobs, "path"), "GITHUB_OUTPUT="+output, "GITHUB_REPOSITORY=o/r", "PULL_REQUEST=7", "PATH="+filepath.Join(p.dir, "bin")+":"+pathOf(p.project))
	run := func(code int, job, name string, variables ...string) string {
		t.Helper()
		at := slices.IndexFunc(workflow.Jobs[job].Steps, func(s step) bool { return s.Name == name })
		if at < 0 {
			t.Fatalf("the job %s has no step %s", job, name)
		}
		step := workflow.Jobs[job].Steps[at]
		if job == "apply" && step.Env["PLANNED"] != "${{ github.event.pull_request.head.sha }}" {
			t.Errorf("the planned commit is %q", step.Env["PLANNED"])
		}
		return ci.with(variables...).program(t, code, "bash", "-e", "-c", step.Run)
	}

	run(0, "plan", "Install")
	run(0, "plan", "Plan")
	if content, err := os.ReadFile(output); err != nil || string(content) != "status=2\n" {
		t.Errorf("the output is %q (%v)", content, err)
	}
	run(0, "plan", "Comment")
	body, call := p.comment(t)
	expectIn(t, body, "<!-- kuscia-review production -->", "**Kuscia, `production`:** This plan starts the serving `glm`")
	expectIn(t, call, "--method POST repos/o/r/issues/7/comments")
	run(0, "plan", "Encrypt")
	if _, err := os.Stat(filepath.Join(p.dir, "plan.bin")); err == nil {
		t.Error("the plan is left unencrypted")
	}
	expectIn(t, run(1, "apply", "Apply", "PLANNED=old"), "The plan is that of old, and the pull request has new now.")
	run(0, "apply", "Apply", "PLANNED=new")
	p.clean(t, "plan.gpg")

	shorter := `TF_VAR_command=["./secretflow_serving"]`
	replaced := func(says string) {
		t.Helper()
		run(0, "plan", "Comment")
		body, call := p.comment(t)
		expectIn(t, body, says)
		expectIn(t, call, "--method PATCH repos/o/r/issues/comments/41")
	}
	run(1, "plan", "Plan", shorter)
	replaced("This plan interrupts the serving `glm`")
	p.failed(t, func() { run(1, "plan", "Plan") }, replaced)
	run(0, "plan", "Plan", shorter, "ALLOW=kuscia_serving.glm")
	p.run(t, 0, "destroy", "-auto-approve")
	p.clean(t, "plan.bin", "plan.gpg", "review.md")
}

// failed runs plans that fail, early and late, and replaced with what the comment says then.
func (p *pipeline) failed(t *testing.T, plan func(), replaced func(says string)) {
	t.Helper()
	for content, says := range map[string]string{"resource {": "The plan or its review failed", failedPlan: "The plan failed and cannot be applied."} {
		write(t, filepath.Join(p.dir, "failed.tf"), content)
		plan()
		replaced(says)
	}
	p.clean(t, "failed.tf")
}

func pathOf(p *project) string {
	path := ""
	for _, variable := range p.environment {
		if value, ok := strings.CutPrefix(variable, "PATH="); ok {
			path = value
		}
	}
	return path
}

// testGitLab runs the scripts of the jobs for GitLab, as a runner does.
func testGitLab(t *testing.T, p *pipeline) {
	t.Helper()
	type job struct {
		Script        []string
		Interruptible bool
	}
	var decoded map[string]yaml.Node
	workflowOf(t, p.project, "gitlab-ci.yaml", &decoded)
	jobs := map[string]job{}
	for name, interruptible := range map[string]bool{"plan": true, "apply": false} {
		node := decoded[name]
		var found job
		if err := node.Decode(&found); err != nil || len(found.Script) == 0 {
			t.Fatalf("the job %s: %v", name, err)
		}
		if found.Interruptible != interruptible {
			t.Errorf("interruptible is %v in the job %s", found.Interruptible, name)
		}
		jobs[name] = found
	}
	ci := p.with("CI_API_V4_URL=https://gitlab.example/api/v4", "CI_PROJECT_ID=3", "CI_MERGE_REQUEST_IID=7", "REVIEW_TOKEN=t")
	run := func(code int, job string, variables ...string) string {
		t.Helper()
		return ci.with(variables...).program(t, code, "bash", "-eo", "pipefail", "-c", strings.Join(jobs[job].Script, "\n"))
	}

	run(0, "plan")
	body, call := p.comment(t)
	expectIn(t, body, "This plan starts the serving `glm`")
	notes := "https://gitlab.example/api/v4/projects/3/merge_requests/7/notes"
	expectIn(t, call, fmt.Sprintf("--request POST --data-urlencode body@review.md %s", notes))
	p.clean(t, "plan.bin", "review.md")
	expectIn(t, run(1, "apply", "CI_COMMIT_SHA=old"), "The plan is that of old, and the merge request has new now.")
	run(1, "apply", "CI_COMMIT_SHA=new", "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA=old")
	run(0, "apply", "CI_COMMIT_SHA=merged", "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA=new")
	p.clean(t, "plan.bin", "plan.gpg")

	replaced := func(says string) {
		t.Helper()
		body, call := p.comment(t)
		expectIn(t, body, says)
		expectIn(t, call, fmt.Sprintf("--request PUT --data-urlencode body@review.md %s/41", notes))
	}
	run(1, "plan", `TF_VAR_command=["./secretflow_serving"]`)
	replaced("This plan interrupts the serving `glm`")
	p.failed(t, func() { run(1, "plan") }, replaced)
	p.run(t, 0, "destroy", "-auto-approve")
}
