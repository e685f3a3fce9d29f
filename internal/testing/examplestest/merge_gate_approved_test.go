package examplestest_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
)

// What is said of a plan that the comment does not show, that the organizations have not approved, and of
// a request without reviews.
const (
	anotherPlan = "The comment shows another plan than that of this run."
	unapproved  = "The organizations have approved another plan."
	unreviewed  = "The request does not have the reviews that its target branch requires."
)

// reviewed is what jobs pass on of a plan: its archive, and by what the organizations are asked, which is the
// output of a job on GitHub, and a pipeline on GitLab.
type reviewed struct{ archive, asked string }

// applyOthers applies the plan that the organizations have approved and that the comment shows, after others:
// that of an earlier run, whether they have approved it or the new one, and those that the comment does not
// show, or that somebody else has shown.
func (p *pipeline) applyOthers(t *testing.T, earlier reviewed, asked string, approve func(asked string), apply func(code int, variables ...string) string) {
	t.Helper()
	comments, archive := filepath.Join(p.jobs, "comments.json"), filepath.Join(p.dir, "plan.gpg")
	comment, current := testfile.Read(t, comments), testfile.Read(t, archive)
	approve(earlier.asked) // and then somebody planned and reviewed again
	expectIn(t, apply(1), unapproved)
	testfile.Write(t, archive, earlier.archive)
	expectIn(t, apply(1), anotherPlan)
	approve(asked)
	expectIn(t, apply(1), unapproved)
	testfile.Write(t, archive, current)
	for _, other := range []string{"SHA-256 `[0-9a-f]{64}`", `"login": *"github-actions\[bot\]"|"username": *"review"`} {
		testfile.Write(t, comments, regexp.MustCompile(other).ReplaceAllStringFunc(comment, func(text string) string {
			return regexp.MustCompile("[0-9a-f]{64}|github-actions|review").ReplaceAllString(text, "mallory")
		}))
		expectIn(t, apply(1), anotherPlan)
	}
	testfile.Write(t, comments, comment)
	for _, state := range []string{"", "REVIEW_REQUIRED"} {
		expectIn(t, apply(1, "REVIEWED="+state), unreviewed)
	}
	p.clean(t, "plan.bin")
	apply(0)
	p.clean(t, "plan.bin", "plan.gpg")
}

// bridge is a job of GitLab that starts a pipeline.
type bridge struct {
	ID         int    `json:"id"`
	Name       string `json:"name"`
	Downstream any    `json:"downstream_pipeline"`
}

// asks are pipelines of GitLab that ask the organizations, each by the jobs of a file, the newest last.
func (p *pipeline) asks(t *testing.T, files ...string) []bridge {
	t.Helper()
	bridges := []bridge{{ID: 99, Name: "another", Downstream: map[string]any{"id": 99, "status": "success"}}}
	for i, file := range files {
		var jobs []map[string]string
		for name := range testjson.Decode[map[string]any](t, file) {
			if name != "workflow" {
				jobs = append(jobs, map[string]string{"name": name})
			}
		}
		testfile.Write(t, filepath.Join(p.jobs, fmt.Sprintf("jobs-%d.json", 10+i)), testjson.Encode(t, jobs))
		bridges = append(bridges, bridge{ID: i, Name: "organizations", Downstream: map[string]any{"id": 10 + i, "status": "success"}})
	}
	testfile.Write(t, filepath.Join(p.jobs, "bridges.json"), testjson.Encode(t, bridges))
	return bridges
}

// testAskingPipelines: only the newest pipeline that asks the organizations counts, and only if it has ended.
func (p *pipeline) testAskingPipelines(t *testing.T, earlier, asked string, apply func(code int, variables ...string) string) {
	t.Helper()
	p.asks(t)
	expectIn(t, apply(1), unapproved)
	p.asks(t, asked, earlier)
	expectIn(t, apply(1), unapproved)
	for _, newest := range []any{nil, map[string]any{"id": 11, "status": "running"}} {
		bridges := p.asks(t, earlier, asked)
		bridges[2].Downstream = newest
		slices.Reverse(bridges)
		testfile.Write(t, filepath.Join(p.jobs, "bridges.json"), testjson.Encode(t, bridges))
		expectIn(t, apply(1), unapproved)
	}
}

// holds evaluates a condition of GitHub or GitLab, whose operators have other names in jq.
func holds(t *testing.T, condition, context string) bool {
	t.Helper()
	condition = strings.NewReplacer("${{", "", "}}", "", "!cancelled()", "true", "needs.", ".needs.", "&&", " and ", "||", " or ", "'", `"`, "$", ".").Replace(condition)
	command := exec.Command(must[string](t)(jq()), condition)
	command.Stdin = strings.NewReader(context)
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v: %s", condition, err, output)
	}
	return strings.TrimSpace(string(output)) == "true"
}

// testWhoIsAsked: on GitHub a plan is applied only after a review, and only if all who are asked have approved it.
func testWhoIsAsked(t *testing.T, workflow gitHub) {
	t.Helper()
	if branches := workflow.On.PullRequest.Branches; !slices.Equal(branches, []string{"main"}) {
		t.Errorf("pull requests into %v are applied", branches)
	}
	organization, apply := workflow.Jobs["organization"], workflow.Jobs["apply"]
	if organization.Name != "${{ matrix.domain }}: ${{ needs.review.outputs.sums }}" || apply.Steps[len(apply.Steps)-1].With["approved"] != "${{ needs.review.outputs.sums }}" {
		t.Errorf("the organizations approve %s, and %v is applied", organization.Name, apply.Steps)
	}
	for _, test := range []struct {
		review, status, domains, organization string
		asks, applies                         bool
	}{
		{"success", "2", `["alice"]`, "success", true, true},
		{"success", "2", `["alice"]`, "skipped", true, false},
		{"success", "2", `["alice"]`, "failure", true, false},
		{"success", "2", `["alice"]`, "cancelled", true, false},
		{"success", "2", `[]`, "skipped", false, true},
		{"success", "0", `[]`, "skipped", false, false},
		{"failure", "2", `["alice"]`, "skipped", true, false}, // and GitHub skips it, since it needs the review
		{"failure", "2", `[]`, "skipped", false, false},
		{"failure", "1", ``, "skipped", false, false},
		{"skipped", "", ``, "skipped", false, false},
	} {
		review := map[string]any{"result": test.review, "outputs": map[string]string{"status": test.status, "domains": test.domains}}
		context := testjson.Encode(t, map[string]any{"needs": map[string]any{"review": review, "organization": map[string]string{"result": test.organization}}})
		if asks, applies := holds(t, organization.If, context), holds(t, apply.If, context); asks != test.asks || applies != test.applies {
			t.Errorf("%s asks the organizations: %t, and is applied: %t", context, asks, applies)
		}
	}
}

// testGitLabRule: only merge requests into the default branch are applied.
func testGitLabRule(t *testing.T, rules []map[string]string) {
	t.Helper()
	if len(rules) != 1 {
		t.Fatalf("the rules are %v", rules)
	}
	for target, want := range map[string]bool{"main": true, "mine": false} {
		for source, isRequest := range map[string]bool{"merge_request_event": true, "push": false} {
			context := testjson.Encode(t, map[string]string{"CI_PIPELINE_SOURCE": source, "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": target, "CI_DEFAULT_BRANCH": "main"})
			if got := holds(t, rules[0]["if"], context); got != (want && isRequest) {
				t.Errorf("%s: %t", context, got)
			}
		}
	}
}
