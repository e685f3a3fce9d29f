package examplestest_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
)

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

// anyProgram runs a program, which may concern everyone.
const anyProgram = `resource "terraform_data" "program" {
  provisioner "local-exec" {
    command = "true"
  }
}
`

// shorter interrupts the serving of the example with which the gate is tested.
const shorter = `TF_VAR_command=["./secretflow_serving"]`

// testMergeGate runs the gate over the rollout that can replace a serving, to
// each of its ends, and then the workflows.
func testMergeGate(t *testing.T, _ example) {
	env := acctest.NewSandbox(t, sandbox.Options{})
	p := newProject(t, "rollouts/replace", "KUSCIA_ENDPOINT="+env.Sandbox.Endpoint(), "TF_CLI_ARGS=-no-color").inPath(filepath.Dir(must[string](t)(reviewProgram())), filepath.Dir(must[string](t)(jq())))
	gate := func(code int, args string, variables ...string) (output, review string) {
		t.Helper()
		output = p.with(variables...).shell(t, code, "../../merge-gate/gate.sh "+args)
		review = testfile.Read(t, filepath.Join(p.dir, "review.md"))
		if _, err := os.Stat(filepath.Join(p.dir, "plan.bin")); (err == nil) != (code != 1) {
			t.Errorf("a plan can be applied after the exit code %d (%v)", code, err)
		}
		return output, review
	}

	gate(1, "") // a new serving runs a program
	gate(2, "", "FAIL_ON=interrupted,check")
	p.shell(t, 0, "terraform apply plan.bin")
	gate(0, "", "REVIEW_LANG=zh")
	_, review := gate(1, "-var=no_such_variable=1", "NAME=live")
	expectIn(t, review, "<!-- kuscia-review live -->", "**Kuscia:** The plan or its review failed")

	output, review := gate(1, "", shorter, "COMMIT=abc", "RUN_URL=https://ci.example/1")
	expectIn(t, output, "This plan is refused:", "kuscia_serving.glm: interrupted: replaced")
	expectIn(t, review, "<!-- kuscia-review -->", "and interrupts the serving `glm`", "commit `abc`", "Plan file: SHA-256 `", "[This run](https://ci.example/1) made the plan.")
	gate(2, "", shorter, "ALLOW=kuscia_app_image.serving kuscia_serving.glm")
	output, review = gate(2, "", shorter, "FAIL_ON=")
	expectIn(t, output, "kuscia-review: no gate: -fail-on is empty")
	expectIn(t, review, "> No gate: -fail-on is empty, so every plan passes.")
	_, review = gate(1, "", "FAIL_ON=no-such-category") // a review that fails passes nothing
	expectIn(t, review, "**Kuscia:** The plan or its review failed")
	testEveryone(t, p)
	testAtlantis(t, p)
	p.shell(t, 0, "terraform destroy -auto-approve")

	newPipeline(t, p).runGitHub(t)
	newPipeline(t, p).runGitLab(t)
}

// testEveryone: where a plan does not say whom it concerns, nobody is left out of those who are asked.
func testEveryone(t *testing.T, p *project) {
	t.Helper()
	const alone = "only-a-program/"
	if err := os.Mkdir(filepath.Join(p.dir, alone), 0o755); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]struct{ unnamed, named string }{
		"program.tf":         {`["alice","bob","everyone"]`, `["alice","bob","carol","dave"]`},
		alone + "program.tf": {`["everyone"]`, `["bob","carol","dave"]`},
	} {
		testfile.Write(t, filepath.Join(p.dir, file), anyProgram)
		folder := filepath.Dir(file)
		for domains, list := range map[string]string{"": want.unnamed, " bob carol  dave": want.named} {
			p.with("DOMAINS="+domains, "FAIL_ON=check").shell(t, 2, `gate=$PWD/../../merge-gate/gate.sh; cd `+folder+` && "$gate"`)
			if got := strings.TrimSpace(testfile.Read(t, filepath.Join(p.dir, folder, "domains.json"))); got != list {
				t.Errorf("with the domains %q, %s asks %s, want %s", domains, file, got, list)
			}
		}
		p.clean(t, file)
	}
	if err := os.RemoveAll(filepath.Join(p.dir, alone)); err != nil {
		t.Fatal(err)
	}
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

// workflowOf reads a workflow of the example.
func workflowOf(t *testing.T, name string, into any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(readExample(t, filepath.Join("merge-gate", name))), into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// testAtlantis runs the step that reviews a plan of Atlantis.
func testAtlantis(t *testing.T, p *project) {
	t.Helper()
	type stage struct{ Steps []any }
	var config struct {
		Projects []struct {
			ApplyRequirements []string `yaml:"apply_requirements"`
		}
		Workflows struct{ Kuscia struct{ Plan, Apply stage } }
	}
	workflowOf(t, "atlantis.yaml", &config)
	if requirements := config.Projects[0].ApplyRequirements; !slices.Equal(requirements, []string{"approved", "mergeable", "undiverged"}) {
		t.Errorf("apply requires %v", requirements)
	}
	if steps := config.Workflows.Kuscia.Apply.Steps; !slices.Equal(steps, []any{"apply"}) {
		t.Errorf("apply does more than the plan: %v", steps)
	}
	review, ok := config.Workflows.Kuscia.Plan.Steps[2].(map[string]any)
	if !ok {
		t.Fatalf("the workflow is %v", config)
	}
	file := filepath.Join(t.TempDir(), "production.tfplan")
	inCI := p.with("PLANFILE=" + file)
	p.shell(t, 0, "terraform plan -out="+file)
	expectIn(t, inCI.shell(t, 0, review["run"].(string)), "Nothing changes.")
	p.with(shorter).shell(t, 0, "terraform plan -out="+file)
	expectIn(t, inCI.shell(t, 1, review["run"].(string)), `and interrupts the serving "glm"`, "This plan is refused:")
	if _, err := os.Stat(file); err == nil {
		t.Error("a plan that is refused can be applied")
	}
}

// pipeline is a project in a CI job, with programs that keep the comments in a
// file instead of sending them to a server.
type pipeline struct {
	*project

	jobs string // a folder with what jobs share
	// repository and commit are those of the provider from which the jobs build the program.
	repository, commit string
}

// fakeServer is a program that answers as GitHub or GitLab, called as gh or curl, and keeps
// the comment 41.
const fakeServer = `#!/bin/sh
set -eu
case "$*" in *file://*) exec "$REAL_CURL" "$@" ;; esac
calls=$* body= filter=.
while [ $# -gt 0 ]; do
  case $1 in
  --jq) filter=$2; shift ;;
  -F | --data-urlencode) body=${2##*@}; shift ;;
  --data-binary) body=$JOBS/body; jq -r .body "${2#@}" >"$body"; shift ;;
  esac
  shift
done
case "$calls" in
*/user) exec echo '{"id": 5}' ;;
*/environments/domain-alice*) exec jq -nr '{protection_rules: [{type: "wait_timer"}, {type: "required_reviewers", reviewers: [{}]}]} | '"$filter" ;;
*/environments/*) exec jq -nr '{protection_rules: []} | '"$filter" ;;
*/actions/workflows/*) exec jq -nr '{workflow_runs: [{id: 9}]} | '"$filter" ;;
*/pulls/7*|*/merge_requests/7) exec jq -nr '{sha: "new", head: {sha: "new"}} | '"$filter" ;;
esac
printf '%s\n' "$calls" >>"$JOBS/calls"
if [ -n "${ISSUES-}" ]; then
  [ -n "$body" ] || echo '[]' | jq -r "$filter"
  exit 0
fi
if [ -z "$body" ]; then
  page=${calls##*&page=}
  case $page in *[!0-9]*) page=1 ;; esac
  exec jq --argjson page "$page" '.[($page - 1) * 100:$page * 100]' "$JOBS/comments.json"
fi
jq --arg body "$(cat "$body")" '[.[] | select(.id != 41)] + [{id: 41, user: {login: "github-actions[bot]"}, author: {id: 5}, body: $body}]' "$JOBS/comments.json" >"$JOBS/comments.new"
mv "$JOBS/comments.new" "$JOBS/comments.json"
`

// foreignComments are 120 by somebody else, more than a page of them, with the mark.
func foreignComments(t *testing.T) string {
	t.Helper()
	var all []any
	for i := range 120 {
		all = append(all, map[string]any{"id": 1000 + i, "user": map[string]any{"login": "mallory"}, "author": map[string]any{"id": 6}, "body": "<!-- kuscia-review production -->"})
	}
	return testjson.Encode(t, all)
}

// newPipeline makes a release of the review, from which the jobs install it.
func newPipeline(t *testing.T, p *project) *pipeline {
	t.Helper()
	for _, name := range []string{"curl", "git", "go", "gpg", "unzip", "sha256sum"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("the jobs need it: ", err)
		}
	}
	jobs := t.TempDir()
	curl, _ := exec.LookPath("curl") // found above
	testfile.Write(t, filepath.Join(jobs, "comments.json"), foreignComments(t))
	testfile.Write(t, filepath.Join(jobs, "gh"), fakeServer)
	// gpg has a socket there, whose path must be short.
	keys, err := os.MkdirTemp("", "gpg") //nolint:usetesting // that of the test is too long
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = exec.Command("gpgconf", "--homedir", keys, "--kill", "all").Run()
		_ = os.RemoveAll(keys)
	})
	p.shell(t, 0, "cd '"+jobs+"' && chmod +x gh && cp gh curl")
	bin := filepath.Join(jobs, "bin")
	inCI := p.inPath(bin, jobs, filepath.Dir(must[string](t)(jq()))).with(
		"ROOT="+moduleRoot(t), "KUSCIA_REVIEW_BIN="+bin, "GITHUB_STEP_SUMMARY="+filepath.Join(jobs, "summary"), "GITHUB_RUN_ID=9", "GITHUB_RUN_ATTEMPT=1", "GITHUB_API_URL=https://github.example/api",
		"JOBS="+jobs, "REAL_CURL="+curl, "GNUPGHOME="+keys, "PLAN_KEY=a long random text", "NAME=production",
		"KUSCIA_REVIEW_RELEASES=file://"+jobs, "KUSCIA_REVIEW_VERSION=0.1.0", "KUSCIA_REVIEW_SHA256="+releaseReview(t, jobs),
		"GITHUB_PATH="+filepath.Join(jobs, "path"), "GITHUB_OUTPUT="+filepath.Join(jobs, "output"), "GITHUB_REPOSITORY=o/r", "PULL_REQUEST=7")
	repository, commit := checkout(t)
	return &pipeline{project: inCI, jobs: jobs, repository: repository, commit: commit}
}

// moduleRoot is the checkout of the provider, from which the jobs build the program.
func moduleRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join(examples, ".."))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// checkout is a repository with a commit of what the jobs need of the provider as it is.
func checkout(t *testing.T) (repository, commit string) {
	t.Helper()
	dir, root := t.TempDir(), moduleRoot(t)
	command := exec.Command("sh", "-c", `set -e
cd "$1"
packages=$(go list -deps -f '{{with .Module}}{{if .Main}}{{$.ImportPath}}{{end}}{{end}}' ./internal/cmd/kuscia-review | sed "s|^$(go list -m)/||")
cp -r --parents go.mod go.sum $packages examples/merge-gate "$2"
cd "$2"
git init -q && git add -A && git -c user.name=t -c user.email=t@example.com -c commit.gpgsign=false commit -q -m test && git rev-parse HEAD`, "sh", root, dir)
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	return dir, lines[len(lines)-1]
}

// output is what the steps of a job have written last for another.
func (p *pipeline) output(t *testing.T, name string) (value string) {
	t.Helper()
	for line := range strings.Lines(testfile.Read(t, filepath.Join(p.jobs, "output"))) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), name+"="); ok {
			value = rest
		}
	}
	return value
}

// releaseReview writes the archive of a release and returns its sum.
func releaseReview(t *testing.T, dir string) string {
	t.Helper()
	archive := filepath.Join(dir, "v0.1.0", "kuscia-review_0.1.0_linux_amd64.zip")
	if err := os.MkdirAll(filepath.Dir(archive), 0o755); err != nil {
		t.Fatal(err)
	}
	var content bytes.Buffer
	writer := zip.NewWriter(&content)
	header := &zip.FileHeader{Name: "kuscia-review", Method: zip.Store}
	header.SetMode(0o755)
	entry, err := writer.CreateHeader(header)
	if err == nil {
		_, err = io.WriteString(entry, testfile.Read(t, must[string](t)(reviewProgram())))
	}
	if err := errors.Join(err, writer.Close()); err != nil {
		t.Fatal(err)
	}
	testfile.Write(t, archive, content.String())
	return fmt.Sprintf("%x", sha256.Sum256(content.Bytes()))
}

// expectComment expects what the only comment of the jobs says, and the last call for it.
func (p *pipeline) expectComment(t *testing.T, call, says string) {
	t.Helper()
	list := testfile.JSON[[]struct{ Body string }](t, filepath.Join(p.jobs, "comments.json"))
	if len(list) != 121 {
		t.Fatalf("the comments are %v", list)
	}
	expectIn(t, list[120].Body, "<!-- kuscia-review production -->", says)
	calls := strings.Split(strings.TrimSpace(testfile.Read(t, filepath.Join(p.jobs, "calls"))), "\n")
	expectIn(t, calls[len(calls)-1], call)
}

// jobStep is a step of a job or an action.
type jobStep struct {
	ID, Name, Run, Uses string
	Env, With           map[string]string
}

// stepNamed is the step with a name.
func stepNamed(t *testing.T, steps []jobStep, name string) jobStep {
	t.Helper()
	at := slices.IndexFunc(steps, func(s jobStep) bool { return s.Name == name })
	if at < 0 {
		t.Fatalf("there is no step %s", name)
	}
	return steps[at]
}

// action is the action for reviews.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct{ Steps []jobStep }
}

func reviewAction(t *testing.T) (a action) {
	t.Helper()
	file := filepath.Join(moduleRoot(t), ".github", "actions", "review", "action.yml")
	if err := yaml.Unmarshal([]byte(testfile.Read(t, file)), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// runGitHub runs the steps of the action and the workflow for GitHub, as a runner does: it plans a new
// serving, which the gate refuses until it is allowed, applies it, and plans its replacement.
func (p *pipeline) runGitHub(t *testing.T) {
	t.Helper()
	var workflow struct {
		Concurrency any
		Jobs        map[string]struct {
			Concurrency, Environment, Permissions any
			Needs                                 any
			Steps                                 []jobStep
		}
	}
	workflowOf(t, "github-actions.yaml", &workflow)
	if plan := workflow.Jobs["plan"].Concurrency; workflow.Concurrency != nil || plan == nil || workflow.Jobs["apply"].Concurrency != nil {
		t.Errorf("a push cancels more than a plan, or not that: %v, %v", workflow.Concurrency, plan)
	}
	if needs := fmt.Sprint(workflow.Jobs["apply"].Needs); needs != "[plan organization]" {
		t.Errorf("the apply needs %s", needs)
	}
	if environment := workflow.Jobs["organization"].Environment; environment != "domain-${{ matrix.domain }}" {
		t.Errorf("organizations approve in %v", environment)
	}
	review := reviewAction(t)
	failOn := review.Inputs["fail-on"].Default
	if failOn != "grant,code,interrupted,check,incomplete,reference" {
		t.Errorf("the action refuses %s", failOn)
	}
	apply := stepNamed(t, workflow.Jobs["apply"].Steps, "Apply")
	if apply.Env["PLANNED"] != "${{ github.event.pull_request.head.sha }}" || apply.Env["SUM"] != "${{ needs.plan.outputs.sum }}" {
		t.Errorf("the apply has %v", apply.Env)
	}
	plan := func(status, call, says string, variables ...string) {
		t.Helper()
		install := stepNamed(t, review.Runs.Steps, "Install")
		p.with("KUSCIA_REVIEW_SOURCE="+moduleRoot(t), "GOFLAGS=-buildvcs=false").shell(t, 0, install.Run)
		p.with(append([]string{"FAIL_ON=" + failOn}, variables...)...).shell(t, 0, stepNamed(t, review.Runs.Steps, "Plan").Run)
		if got := p.output(t, "status"); got != status {
			t.Errorf("the status is %s, want %s", got, status)
		}
		p.shell(t, 0, stepNamed(t, review.Runs.Steps, "Comment").Run)
		p.expectComment(t, call, says)
		expectIn(t, testfile.Read(t, filepath.Join(p.jobs, "summary")), says)
		code := 0
		if status == "1" {
			code = 1
		}
		p.with("STATUS="+status).shell(t, code, stepNamed(t, review.Runs.Steps, "Gate").Run)
	}
	const created, updated = "--request POST https://github.example/api/repos/o/r/issues/7/comments", "--request PATCH https://github.example/api/repos/o/r/issues/comments/41"

	plan("1", created, "This plan starts the serving `glm`")
	plan("2", updated, "This plan starts the serving `glm`", "ALLOW=kuscia_serving.glm", "COMMIT=new", "RUN_URL=https://ci.example/9")
	// The bot of GitHub is no bot of Gitea.
	p.with("GITEA_ACTIONS=true").shell(t, 0, stepNamed(t, review.Runs.Steps, "Comment").Run)
	p.expectComment(t, created, "[This run](https://ci.example/9/attempts/1) made the plan.")
	if got := p.output(t, "domains"); got != `["alice","bob"]` {
		t.Errorf("the plan touches %s", got)
	}
	p.shell(t, 0, stepNamed(t, workflow.Jobs["plan"].Steps, "Encrypt").Run)
	if _, err := os.Stat(filepath.Join(p.dir, "plan.bin")); err == nil {
		t.Error("the plan is left unencrypted")
	}
	p.clean(t, "plan.bin", "review.md") // the next job does not have them
	sum := "SUM=" + p.output(t, "sum")
	approved := stepNamed(t, workflow.Jobs["organization"].Steps, "Approved").Run
	p.with("DOMAIN=alice").shell(t, 0, approved)
	expectIn(t, p.with("DOMAIN=everyone").shell(t, 1, approved), "The environment domain-everyone has no reviewers, so nobody has approved this.")
	onGitea := p.with("GITEA_ACTIONS=true", "PLANNED=new", sum) // nothing waits for an approval there
	onGitea.with("DOMAIN=alice").shell(t, 1, approved)
	expectIn(t, onGitea.shell(t, 1, apply.Run), "nobody has approved this")
	expectIn(t, p.with("PLANNED=old", sum).shell(t, 1, apply.Run), "The plan is that of old, and the ", " request has new now.")
	expectIn(t, p.with("PLANNED=new", sum, "GITHUB_RUN_ID=8").shell(t, 1, apply.Run), "The comment shows the plan of the run 9, and this is the run 8.")
	expectIn(t, p.with("PLANNED=new", "SUM="+strings.Repeat("0", 64)).shell(t, 1, apply.Run), "plan.gpg: FAILED")
	p.with("PLANNED=new", sum).shell(t, 0, apply.Run)
	p.clean(t, "plan.bin", "plan.gpg")
	p.runDrift(t, review)

	plan("1", updated, "and interrupts the serving `glm`", shorter)
	for content, says := range map[string]string{"resource {": "The plan or its review failed", failedPlan: "The plan failed and cannot be applied: do not approve it."} {
		testfile.Write(t, filepath.Join(p.dir, "failed.tf"), content)
		plan("1", updated, says)
	}
	p.clean(t, "failed.tf")
	p.shell(t, 0, "terraform destroy -auto-approve")
}

// runDrift runs the nightly job: without and with a change.
func (p *pipeline) runDrift(t *testing.T, review action) {
	t.Helper()
	var workflow struct {
		Jobs struct{ Drift struct{ Steps []jobStep } }
	}
	workflowOf(t, "github-drift.yaml", &workflow)
	issue := stepNamed(t, workflow.Jobs.Drift.Steps, "Issue")
	at := slices.IndexFunc(workflow.Jobs.Drift.Steps, func(s jobStep) bool { return s.ID == "review" })
	failOn := workflow.Jobs.Drift.Steps[at].With["fail-on"]
	for _, night := range []struct{ variable, status, call string }{{"NAME=drift", "0", ""}, {shorter, "1", "--method POST repos/o/r/issues -f title=Drift:"}} {
		p.with("FAIL_ON="+failOn, night.variable).shell(t, 0, stepNamed(t, review.Runs.Steps, "Plan").Run)
		if got := p.output(t, "status"); got != night.status {
			t.Errorf("the status is %s, want %s", got, night.status)
		}
		code := 0
		if night.status != "0" {
			code = 1
		}
		p.with("STATUS="+night.status, "ISSUES=1").shell(t, code, issue.Run)
		calls := strings.Split(strings.TrimSpace(testfile.Read(t, filepath.Join(p.jobs, "calls"))), "\n")
		expectIn(t, calls[len(calls)-1], night.call)
	}
}

// runGitLab runs the scripts of the jobs for GitLab to the same ends.
func (p *pipeline) runGitLab(t *testing.T) {
	t.Helper()
	var workflow struct {
		Plan, Apply struct {
			Script        []string
			Interruptible bool
		}
	}
	workflowOf(t, "gitlab-ci.yaml", &workflow)
	if !workflow.Plan.Interruptible || workflow.Apply.Interruptible {
		t.Error("a push cancels more than a plan, or not that")
	}
	run := func(code int, script []string, variables ...string) string {
		t.Helper()
		ci := p.with("KUSCIA_REVIEW_REPOSITORY="+p.repository, "KUSCIA_REVIEW_COMMIT="+p.commit, "GOFLAGS=-buildvcs=false", "CI_PIPELINE_URL=https://ci.example/9", "CI_COMMIT_SHA=new",
			"CI_API_V4_URL=https://gitlab.example/api/v4", "CI_PROJECT_ID=3", "CI_MERGE_REQUEST_IID=7", "REVIEW_TOKEN=t")
		return ci.with(variables...).shell(t, code, strings.Join(script, "\n"))
	}
	const notes = "https://gitlab.example/api/v4/projects/3/merge_requests/7/notes"

	run(1, workflow.Plan.Script) // a new serving runs a program
	run(0, workflow.Plan.Script, "ALLOW=kuscia_serving.glm")
	p.expectComment(t, "--request PUT --data-urlencode body@review.md "+notes+"/41", "This plan starts the serving `glm`")
	p.clean(t, "plan.bin", "review.md") // the next job does not have them
	_, sum, _ := strings.Cut(strings.TrimSpace(testfile.Read(t, filepath.Join(p.dir, "plan.env"))), "=")
	old := run(1, workflow.Apply.Script, "SUM="+sum, "CI_COMMIT_SHA=new", "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA=old")
	expectIn(t, old, "The plan is that of old, and the merge request has new now.")
	expectIn(t, run(1, workflow.Apply.Script, "SUM="+strings.Repeat("0", 64)), "plan.gpg: FAILED")
	comments := filepath.Join(p.jobs, "comments.json")
	current := testfile.Read(t, comments)
	testfile.Write(t, comments, regexp.MustCompile("SHA-256 `[0-9a-f]{64}`").ReplaceAllString(current, "SHA-256 `"+strings.Repeat("0", 64)+"`"))
	expectIn(t, run(1, workflow.Apply.Script, "SUM="+sum), "The comment shows another plan than that of this pipeline.")
	p.clean(t, "plan.bin")
	testfile.Write(t, comments, current)
	run(0, workflow.Apply.Script, "SUM="+sum, "CI_COMMIT_SHA=merged", "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA=new")
	p.clean(t, "plan.bin", "plan.gpg")

	run(1, workflow.Plan.Script, shorter)
	p.expectComment(t, "--request PUT --data-urlencode body@review.md "+notes+"/41", "and interrupts the serving `glm`")
	p.shell(t, 0, "terraform destroy -auto-approve")
}
