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
		output = p.with(variables...).shell(t, code, "../../merge-gate/plan.sh "+args+" || :; ../../merge-gate/review.sh")
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
	output, review := gate(1, "-var=no_such_variable=1", "NAME=live", "RUN_URL=https://ci.example/1")
	expectIn(t, output, "no_such_variable")
	expectIn(t, review, "<!-- kuscia-review live -->", "**Kuscia:** The plan or its review failed", "[This run](https://ci.example/1) failed.")
	for name, mark := range map[string]string{"": "<!-- kuscia-review -->\n", "live/eu 1é": "<!-- kuscia-review live/eu_1_ -->\n"} {
		failed := p.with("NAME=" + name)
		failed.shell(t, 1, "../../merge-gate/review.sh")
		installed := testfile.Read(t, filepath.Join(p.dir, "review.md"))
		failed.shell(t, 1, `mkdir -p none && printf '#!/bin/sh\nexit 127\n' >none/kuscia-review && chmod +x none/kuscia-review && PATH=$PWD/none:$PATH ../../merge-gate/review.sh`)
		if missing := testfile.Read(t, filepath.Join(p.dir, "review.md")); missing != installed || !strings.HasPrefix(missing, mark) {
			t.Errorf("without the program the review is %s, and with it %s", missing, installed)
		}
	}
	if err := os.RemoveAll(filepath.Join(p.dir, "none")); err != nil {
		t.Fatal(err)
	}
	p.shell(t, 1, "../../merge-gate/plan.sh -var=no_such_variable=1")
	p.shell(t, 1, "rm -f plan.*; ../../merge-gate/review.sh") // nothing is passed on

	output, review = gate(1, "", shorter, "COMMIT=abc", "RUN_URL=https://ci.example/1")
	expectIn(t, output, "This plan is refused:", "kuscia_serving.glm: interrupted: replaced")
	expectIn(t, review, "<!-- kuscia-review -->", "and interrupts the serving `glm`", "commit `abc`", "[This run](https://ci.example/1) made the plan.")
	if strings.Contains(review, "Plan file: SHA-256") {
		t.Error("the comment lets apply a plan that is refused")
	}
	gate(2, "", shorter, "ALLOW=kuscia_app_image.serving kuscia_serving.glm")
	output, review = gate(2, "", shorter, "FAIL_ON=")
	expectIn(t, output, "kuscia-review: no gate: -fail-on is empty")
	expectIn(t, review, "> No gate: -fail-on is empty, so every plan passes.")
	_, review = gate(1, "", "FAIL_ON=no-such-category") // a review that fails passes nothing
	expectIn(t, review, "**Kuscia:** The plan or its review failed")
	testEveryone(t, p)
	testAtlantis(t, p)
	p.shell(t, 0, "terraform destroy -auto-approve")

	pipeline := newPipeline(t, p)
	pipeline.runGitHub(t)
	pipeline.testGiteaApproved(t)
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
			p.with("DOMAINS="+domains, "FAIL_ON=check").shell(t, 2, `scripts=$PWD/../../merge-gate; cd `+folder+` && "$scripts/plan.sh" && "$scripts/review.sh"`)
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
			Branch            string
			ApplyRequirements []string `yaml:"apply_requirements"`
		}
		Workflows struct{ Kuscia struct{ Plan, Apply stage } }
	}
	workflowOf(t, "atlantis.yaml", &config)
	if requirements := config.Projects[0].ApplyRequirements; !slices.Equal(requirements, []string{"approved", "mergeable", "undiverged"}) {
		t.Errorf("apply requires %v", requirements)
	}
	if branch := config.Projects[0].Branch; branch != "/^main$/" {
		t.Errorf("Atlantis applies for requests into %s", branch)
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
case "$*" in
*file://*) exec "$REAL_CURL" "$@" ;;
*'--config -'*) cat >"$JOBS/config" ;;
esac
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
*/user) exec echo '{"username": "review"}' ;;
*/repository/files/CODEOWNERS*) echo "/domains/alice/ @alice-of-${calls##*ref=}" >owners; exit 0 ;;
*/graphql*) exec jq -n --arg state "${REVIEWED-APPROVED}" '{data: {repository: {pullRequest: {reviewDecision: (if $state == "" then null else $state end)}}}}' ;;
*/merge_requests/7/approvals) exec jq -n --arg state "${REVIEWED-APPROVED}" '{approved: ($state != "REVIEW_REQUIRED"), approved_by: (if $state == "" then [] else [{}] end)}' ;;
*/pipelines/5/bridges) exec cat "$JOBS/bridges.json" ;;
*/pipelines/*/jobs*) file=${calls##*/pipelines/}; exec cat "$JOBS/jobs-${file%%/*}.json" ;;
*/environments/domain-alice*) exec jq -nr '{protection_rules: [{type: "wait_timer"}, {type: "required_reviewers", reviewers: [{}]}]} | '"$filter" ;;
*/environments/*) exec jq -nr '{protection_rules: []} | '"$filter" ;;
*/pulls/7/reviews*) exec jq --argjson page "${calls##*page=}" '.[$page - 1:$page]' "$JOBS/reviews.json" ;;
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
author='{user: {login: "github-actions[bot]"}}'
[ -z "${CI_API_V4_URL-}" ] || author='{author: {username: "review"}}'
jq --arg body "$(cat "$body")" "[.[] | select(.id != 41)] + [$author + {id: 41, body: \$body}]" "$JOBS/comments.json" >"$JOBS/comments.new"
mv "$JOBS/comments.new" "$JOBS/comments.json"
`

// foreignComments are 120 by somebody else, more than a page of them, with the mark.
func foreignComments(t *testing.T) string {
	t.Helper()
	var all []any
	for i := range 120 {
		all = append(all, map[string]any{"id": 1000 + i, "user": map[string]any{"login": "mallory"}, "author": map[string]any{"username": "mallory"}, "body": "<!-- kuscia-review production -->"})
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
		"ROOT="+moduleRoot(t), "KUSCIA_REVIEW_BIN="+bin, "GITHUB_STEP_SUMMARY="+filepath.Join(jobs, "summary"), "GITHUB_RUN_ID=9", "GITHUB_RUN_ATTEMPT=1", "GITHUB_API_URL=https://github.example/api", "GITHUB_GRAPHQL_URL=https://github.example/api/graphql",
		"JOBS="+jobs, "REAL_CURL="+curl, "GNUPGHOME="+keys, "PLAN_KEY=a long random text", "NAME=production",
		"KUSCIA_REVIEW_RELEASES=file://"+jobs, "KUSCIA_REVIEW_VERSION=0.1.0", "KUSCIA_REVIEW_SHA256="+releaseReview(t, jobs),
		"GITHUB_PATH="+filepath.Join(jobs, "path"), "GITHUB_OUTPUT="+filepath.Join(jobs, "output"), "GITHUB_REPOSITORY=o/r", "PULL_REQUEST=7", "TOKEN=t")
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
	ID, Name, If, Run, Uses string
	Env, With               map[string]string
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

// action is one of the actions of this repository.
type action struct {
	Inputs map[string]struct{ Default string }
	Runs   struct{ Steps []jobStep }
}

func actionNamed(t *testing.T, name string) (a action) {
	t.Helper()
	file := filepath.Join(moduleRoot(t), ".github", "actions", name, "action.yml")
	if err := yaml.Unmarshal([]byte(testfile.Read(t, file)), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// run runs a step of an action.
func (p *pipeline) run(t *testing.T, code int, name, step string, variables ...string) string {
	t.Helper()
	return p.with(variables...).shell(t, code, stepNamed(t, actionNamed(t, name).Runs.Steps, step).Run)
}

// gitHub is the workflow for GitHub.
type gitHub struct {
	On struct {
		PullRequest struct{ Branches []string } `yaml:"pull_request"`
	}
	Concurrency any
	Jobs        map[string]struct {
		Name, If                 string
		Concurrency, Environment any
		Permissions              map[string]string
		Needs                    any
		Steps                    []jobStep
	}
}

// testGitHubJobs: what a job may do that runs code of a pull request, and who waits for whom.
func testGitHubJobs(t *testing.T, workflow gitHub) {
	t.Helper()
	if plan := workflow.Jobs["plan"].Concurrency; workflow.Concurrency != nil || plan == nil || workflow.Jobs["apply"].Concurrency != nil {
		t.Errorf("a push cancels more than a plan, or not that: %v, %v", workflow.Concurrency, plan)
	}
	if needs := fmt.Sprintln(workflow.Jobs["apply"].Needs, workflow.Jobs["organization"].Needs, workflow.Jobs["review"].Needs); needs != "[review organization] review plan\n" {
		t.Errorf("the jobs need %s", needs)
	}
	testWhoIsAsked(t, workflow)
	if environment := workflow.Jobs["organization"].Environment; environment != "domain-${{ matrix.domain }}" {
		t.Errorf("organizations approve in %v", environment)
	}
	if token, isSet := stepNamed(t, actionNamed(t, "plan").Runs.Steps, "Plan").Env["ACTIONS_RUNTIME_TOKEN"]; !isSet || token != "" {
		t.Error("code of the pull request has the token that Gitea gives to every step")
	}
	for _, name := range []string{"Review", "Comment"} {
		if condition := stepNamed(t, actionNamed(t, "review").Runs.Steps, name).If; !strings.HasPrefix(condition, "${{ !cancelled()") {
			t.Errorf("after a program that cannot be built, %s does not run: %s", name, condition)
		}
	}
	for name, job := range workflow.Jobs {
		for _, s := range job.Steps {
			if strings.HasPrefix(s.Uses, "actions/download-artifact@") && s.With["path"] != "${{ runner.temp }}/plan" {
				t.Errorf("files that code of the pull request has added are in the checkout of %s: %v", name, s)
			}
		}
	}
	if rights := workflow.Jobs["plan"].Permissions; len(rights) > 0 {
		t.Errorf("code of the pull request has the rights %v", rights)
	}
	for _, s := range workflow.Jobs["review"].Steps {
		isCheckout := strings.HasPrefix(s.Uses, "actions/checkout@")
		if isCheckout && s.With["ref"] != "${{ github.base_ref }}" || s.Run != "" || strings.Contains(s.Uses, "terraform@") || len(s.Env) > 0 {
			t.Errorf("the review runs beside code of the pull request, or has more than its key: %v", s)
		}
	}
}

// runGitHub runs the steps of the actions and the workflow for GitHub, as a runner does: it plans a new
// serving, which the gate refuses until it is allowed, applies it, and plans its replacement.
func (p *pipeline) runGitHub(t *testing.T) {
	t.Helper()
	var workflow gitHub
	workflowOf(t, "github-actions.yaml", &workflow)
	testGitHubJobs(t, workflow)
	failOn := actionNamed(t, "review").Inputs["fail-on"].Default
	if failOn != "grant,code,interrupted,check,incomplete,reference" {
		t.Errorf("the action refuses %s", failOn)
	}
	plan := func(planned int, status, call, says string, variables ...string) {
		t.Helper()
		p.run(t, planned, "plan", "Plan", variables...)
		p.run(t, 0, "plan", "Encrypt")
		p.expectEncrypted(t)
		p.run(t, 0, "review", "Install", "KUSCIA_REVIEW_SOURCE="+moduleRoot(t), "GOFLAGS=-buildvcs=false")
		// The CLI is not there.
		p.run(t, 0, "review", "Review", append([]string{p.passOn(t), "FAIL_ON=" + failOn, "TF=false"}, variables...)...)
		if got := p.output(t, "status"); got != status {
			t.Errorf("the status is %s, want %s", got, status)
		}
		p.run(t, 0, "review", "Comment")
		p.expectComment(t, call, says)
		expectIn(t, testfile.Read(t, filepath.Join(p.jobs, "summary")), says)
		code := 0
		if status == "1" {
			code = 1
		}
		p.run(t, code, "review", "Gate", "STATUS="+status)
		p.expectEncrypted(t)
	}
	const created, updated = "--request POST https://github.example/api/repos/o/r/issues/7/comments", "--request PATCH https://github.example/api/repos/o/r/issues/comments/41"

	plan(0, "1", created, "This plan starts the serving `glm`")
	p.testForged(t, "FAIL_ON=check")
	allowed := []string{"ALLOW=kuscia_serving.glm", "COMMIT=new", "RUN_URL=https://ci.example/9"}
	plan(0, "2", updated, "This plan starts the serving `glm`", allowed...)
	earlier := reviewed{archive: testfile.Read(t, filepath.Join(p.dir, "plan.gpg")), asked: p.output(t, "sums")}
	plan(0, "2", updated, "This plan starts the serving `glm`", allowed...) // the same commit once more
	// The bot of GitHub is no bot of Gitea.
	p.run(t, 0, "review", "Comment", "GITEA_ACTIONS=true")
	p.expectComment(t, created, "[This run](https://ci.example/9/attempts/1) made the plan.")
	if got := p.output(t, "domains"); got != `["alice","bob"]` {
		t.Errorf("the plan touches %s", got)
	}
	p.clean(t, "review.md", "sums.txt") // the next job does not have them
	approved := stepNamed(t, workflow.Jobs["organization"].Steps, "Approved").Run
	p.with("DOMAIN=alice").shell(t, 0, approved)
	expectIn(t, p.with("DOMAIN=everyone").shell(t, 1, approved), "The environment domain-everyone has no reviewers, so nobody has approved this.")
	p.with("GITEA_ACTIONS=true", "DOMAIN=alice").shell(t, 1, approved) // nothing waits for an approval there
	expectIn(t, p.run(t, 1, "apply", "Apply", p.passOn(t), "GITEA_ACTIONS=true", "PLANNED=new"), "nobody has approved this")
	expectIn(t, p.run(t, 1, "apply", "Apply", p.passOn(t), "PLANNED=old"), "::error::The plan is that of the commit old, and the newest one is new.")
	var given string
	p.applyOthers(t, earlier, p.output(t, "sums"), func(sums string) { given = "APPROVED=" + sums }, func(code int, variables ...string) string {
		return p.run(t, code, "apply", "Apply", append(variables, p.passOn(t), "PLANNED=new", given)...)
	})
	p.runDrift(t)

	plan(0, "1", updated, "and interrupts the serving `glm`", shorter)
	for content, says := range map[string]string{"resource {": "The plan or its review failed", failedPlan: "The plan failed and cannot be applied: do not approve it."} {
		testfile.Write(t, filepath.Join(p.dir, "failed.tf"), content)
		plan(1, "1", updated, says)
	}
	p.clean(t, "failed.tf", "plan.gpg")
	p.shell(t, 0, "terraform destroy -auto-approve")
}

// expectEncrypted expects that the plan is left encrypted, and in no other way.
func (p *pipeline) expectEncrypted(t *testing.T) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(p.dir, "plan.*"))
	if err != nil || len(found) != 1 || filepath.Base(found[0]) != "plan.gpg" {
		t.Errorf("the plan is left in %v (%v)", found, err)
	}
}

// passOn moves the encrypted plan to where another job downloads it, and returns the variable with that.
func (p *pipeline) passOn(t *testing.T) string {
	t.Helper()
	archive := filepath.Join(p.jobs, "plan.gpg")
	if err := os.Rename(filepath.Join(p.dir, "plan.gpg"), archive); err != nil {
		t.Fatal(err)
	}
	return "ARCHIVE=" + archive
}

// testForged: a program that runs while planning writes another JSON for the review. It is not applied.
func (p *pipeline) testForged(t *testing.T, gate string) {
	t.Helper()
	p.run(t, 0, "plan", "Plan")
	file := filepath.Join(p.dir, "plan.json")
	testfile.Write(t, file, strings.ReplaceAll(testfile.Read(t, file), "glm-1", "harmless"))
	p.run(t, 0, "plan", "Encrypt")
	p.run(t, 0, "review", "Review", p.passOn(t), gate)
	p.run(t, 0, "review", "Comment")
	p.expectComment(t, "PATCH", "harmless")
	expectIn(t, p.run(t, 1, "apply", "Apply", p.passOn(t), "PLANNED=new", "APPROVED="+p.output(t, "sums")), unapproved)
}

// runDrift runs the nightly job: without and with a change.
func (p *pipeline) runDrift(t *testing.T) {
	t.Helper()
	var workflow struct {
		Jobs struct{ Drift struct{ Steps []jobStep } }
	}
	workflowOf(t, "../drift/github-actions.yaml", &workflow)
	issue := stepNamed(t, workflow.Jobs.Drift.Steps, "Issue")
	at := slices.IndexFunc(workflow.Jobs.Drift.Steps, func(s jobStep) bool { return s.ID == "review" })
	failOn := workflow.Jobs.Drift.Steps[at].With["fail-on"]
	for _, night := range []struct{ variable, status, call string }{{"NAME=drift", "0", ""}, {shorter, "1", "--method POST repos/o/r/issues -f title=Drift:"}} {
		p.run(t, 0, "plan", "Plan", night.variable)
		p.run(t, 0, "review", "Review", "FAIL_ON="+failOn, night.variable)
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
		p.clean(t, "plan.bin", "review.md", "domains.json", "sums.txt")
	}
}

// gitLabJob is a job for GitLab.
type gitLabJob struct {
	Script        []string
	Interruptible bool
	Environment   any
	Needs         []string
	When          string
	Variables     map[string]string
	Trigger       struct {
		Include  []map[string]string
		Strategy string
	}
}

// runGitLab runs the scripts of the jobs for GitLab to the same ends.
func (p *pipeline) runGitLab(t *testing.T) {
	t.Helper()
	var workflow struct {
		Workflow                           struct{ Rules []map[string]string }
		Plan, Review, Organizations, Apply gitLabJob
	}
	workflowOf(t, "gitlab-ci.yaml", &workflow)
	testGitLabRule(t, workflow.Workflow.Rules)
	if !workflow.Plan.Interruptible || workflow.Apply.Interruptible {
		t.Error("a push cancels more than a plan, or not that")
	}
	// The token that comments is that of the environments of these two, and not of the plan.
	if workflow.Plan.Environment != nil || workflow.Review.Environment == nil || workflow.Review.Variables["GIT_STRATEGY"] != "none" || workflow.Review.When != "always" {
		t.Errorf("the review runs beside code of the merge request: %v", workflow)
	}
	asked := workflow.Organizations
	if !slices.Equal(workflow.Apply.Needs, []string{"plan", "organizations"}) || asked.Trigger.Strategy != "depend" || asked.Trigger.Include[0]["artifact"] != "organizations.yml" {
		t.Errorf("the apply does not wait for the organizations: %v", workflow)
	}
	run := func(code int, script []string, variables ...string) string {
		t.Helper()
		ci := p.with("KUSCIA_REVIEW_REPOSITORY="+p.repository, "KUSCIA_REVIEW_COMMIT="+p.commit, "GOFLAGS=-buildvcs=false", "CI_PIPELINE_URL=https://ci.example/9", "CI_COMMIT_SHA=new",
			"CI_API_V4_URL=https://gitlab.example/api/v4", "CI_PROJECT_ID=3", "CI_PIPELINE_ID=5", "CI_MERGE_REQUEST_IID=7", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main")
		return ci.with(variables...).shell(t, code, "set -e\n"+strings.Join(script, "\n"))
	}
	plan := func(code int, says string, variables ...string) {
		t.Helper()
		run(0, workflow.Plan.Script, variables...)
		p.expectEncrypted(t)
		run(code, workflow.Review.Script, append([]string{"REVIEW_TOKEN=t", "TF=false"}, variables...)...)
		p.expectEncrypted(t)
		p.expectComment(t, "https://gitlab.example/api/v4/projects/3/merge_requests/7/notes", says)
	}

	plan(1, "This plan starts the serving `glm`") // it runs a program
	plan(0, "alice-of-main", "ALLOW=kuscia_serving.glm")
	p.expectComment(t, "--request PUT https://gitlab.example/api/v4/projects/3/merge_requests/7/notes/41", "This plan starts the serving `glm`")
	file := filepath.Join(p.dir, "organizations.yml")
	organizations, sums := testfile.JSON[map[string]gitLabJob](t, file), strings.TrimSpace(testfile.Read(t, filepath.Join(p.dir, "sums.txt")))
	p.expectComment(t, "", sums)
	for _, domain := range []string{"alice", "bob"} {
		if job := organizations["domain-"+domain+": "+sums]; len(organizations) != 4 || job.When != "manual" || job.Environment != "domain-"+domain {
			t.Errorf("the organizations are asked by %v", organizations)
		}
	}
	earlier := reviewed{archive: testfile.Read(t, filepath.Join(p.dir, "plan.gpg")), asked: testfile.Read(t, file)}
	plan(0, "alice-of-main", "ALLOW=kuscia_serving.glm")
	p.clean(t, "sums.txt")
	old := run(1, workflow.Apply.Script, "REVIEW_TOKEN=t", "CI_COMMIT_SHA=new", "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA=old")
	expectIn(t, old, "The plan is that of the commit old, and the newest one is new.")
	apply := func(code int, variables ...string) string {
		return run(code, workflow.Apply.Script, append(variables, "REVIEW_TOKEN=t", "CI_COMMIT_SHA=merged", "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA=new")...)
	}
	p.testAskingPipelines(t, earlier.asked, testfile.Read(t, file), apply)
	p.applyOthers(t, earlier, testfile.Read(t, file), func(asked string) { p.asks(t, asked) }, apply)

	plan(1, "and interrupts the serving `glm`", shorter)
	p.clean(t, "plan.gpg")
	p.shell(t, 0, "terraform destroy -auto-approve")
}
