package review_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase/phrasetest"
)

// program runs the program and checks its exit code.
func program(t *testing.T, code int, input string, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	if got := review.Run(args, strings.NewReader(input), &out, &errs); got != code {
		t.Fatalf("%v: exit code %d, want %d\n%s%s", args, got, code, out.String(), errs.String())
	}
	return out.String(), errs.String()
}

// TestInputs: what is not the JSON of a plan has an error that says what to do.
func TestInputs(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ input, want string }{
		"nothing":             {" \n", "the input is empty: run terraform show -json PLAN"},
		"a plan file":         {"PK\x03\x04rest", "this is a plan file, not its JSON: run terraform show -json PLAN"},
		"UTF-16":              {"\xff\xfe{\x00", "the input is UTF-16"},
		"a text":              {"No changes.", "this is not the JSON of a plan, which terraform show -json PLAN writes: a mistake at byte 1"},
		"a part":              {`{"format_version":"1.2",`, "it is cut off"},
		"another type":        {`{"format_version":"1.2","resource_changes":{"a":1}}`, "resource_changes has another type at byte"},
		"a list":              {`[1]`, "has another type"},
		"other JSON":          {`{"a":1}`, "this is not the JSON of a plan: run terraform show -json PLAN"},
		"a state":             {`{"format_version":"1.0","values":{}}`, "this is a state, not a plan"},
		"a log":               {`{"@level":"info"}` + "\n" + `{"@level":"info"}`, "this is the log of plan -json, not the plan"},
		"an encrypted file":   {`{"encrypted_data":"x","encryption_version":"v0"}`, "run tofu show -json PLAN"},
		"a format of another": {`{"format_version":"7.1"}`, "the plan has the format 7.1"},
		"two plans":           {`{"format_version":"1.2"}{"format_version":"1.2"}`, "more than one JSON value"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stdout, stderr := program(t, 1, test.input)
			if stdout != "" || !strings.HasPrefix(stderr, "kuscia-review: ") || !strings.Contains(stderr, test.want) || strings.Count(stderr, "\n") != 1 {
				t.Errorf("%q is not the only line of %q, or there is output: %q", test.want, stderr, stdout)
			}
		})
	}
	if stdout, _ := program(t, 0, "\xef\xbb\xbf"+`{"format_version":"1.2"}`); !strings.Contains(stdout, "Nothing changes.") {
		t.Errorf("with a byte order mark: %s", stdout)
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		`-format has no "yaml"; it has markdown, text and json`: {"-format", "yaml"},
		`-lang has no "fr"; it has en and zh`:                   {"-lang", "fr"},
		`-fail-on has no "fire"; it has interrupted, `:          {"-fail-on", "interrupted,fire"},
		"there is more than one file":                           {"a", "b"},
		"no such file":                                          {filepath.Join(t.TempDir(), "missing.json")},
		"flag provided but not defined":                         {"-x"},
	} {
		if _, stderr := program(t, 1, "", args...); !strings.Contains(stderr, want) {
			t.Errorf("%v: %q is not in %q", args, want, stderr)
		}
	}
	if _, stderr := program(t, 0, "", "-help"); !strings.Contains(stderr, "Exit codes: 0 fine") || !strings.Contains(stderr, "-fail-on CATEGORIES") {
		t.Errorf("the help is %s", stderr)
	}
}

// TestLimitedPlan: a plan of OpenTofu that -target or -exclude limits is not complete, which only its log says.
func TestLimitedPlan(t *testing.T) {
	t.Parallel()
	const (
		tofu    = `{"format_version":"1.2"}`
		partial = `{"format_version":"1.2","complete":false}`
		open    = "- Whether -target or -exclude left out changes: plans of OpenTofu do not say so, and there is no log of plan -json (-log).\n"
		left    = "- Other changes that may be left: the plan is not complete, for example because of -target.\n"
	)
	logOf := func(warning string) string {
		file := filepath.Join(t.TempDir(), "plan.log")
		lines := `{"@level":"info","type":"change_summary","changes":{"operation":"plan"}}` + "\n" +
			`{"@level":"warn","type":"diagnostic","diagnostic":{"severity":"warning","summary":"` + warning + `","detail":"d"}}` + "\n"
		if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	limited, other := logOf("Resource targeting is in effect"), logOf("Deprecated")
	for name, test := range map[string]struct {
		plan, log, says, silent string
		code                    int
	}{
		"no log":                   {tofu, "", open, left, 0},
		"a log without a limit":    {tofu, other, "Nothing changes.", "-target", 0},
		"a log with a limit":       {tofu, limited, left, open, 2},
		"a plan that says so":      {partial, "", left, open, 2},
		"a plan and its log do":    {partial, limited, left, open, 2},
		"a plan that has no limit": {`{"format_version":"1.2","complete":true}`, "", "Nothing changes.", "-target", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := []string{"-fail-on", "incomplete"}
			if test.log != "" {
				args = append(args, "-log", test.log)
			}
			stdout, stderr := program(t, test.code, test.plan, args...)
			if !strings.Contains(stdout, test.says) || strings.Contains(stdout, test.silent) || test.code == 2 && stderr != "This plan is refused:\n  incomplete: the plan is not complete\n" {
				t.Errorf("%s%s", stdout, stderr)
			}
		})
	}
}

// TestGate: a refused plan is an exit code of 2 with the reasons, and its review.
func TestGate(t *testing.T) {
	t.Parallel()
	file := filepath.Join("testdata", "replaced-serving", "plan.json")
	refused := func(failOn string, reasons ...string) {
		t.Helper()
		stdout, stderr := program(t, 2, "", "-format", "text", "-fail-on", failOn, file)
		if !strings.Contains(stdout, "This plan interrupts") {
			t.Errorf("-fail-on %s: no review: %s", failOn, stdout)
		}
		if want := "This plan is refused:\n  " + strings.Join(reasons, "\n  ") + "\n"; stderr != want {
			t.Errorf("-fail-on %s: %s, want %s", failOn, stderr, want)
		}
	}
	serving := `interrupted, replace, grant, code: kuscia_serving.credit: interrupted: replaced, because of "parties.bob" (Kuscia cannot add or remove parties of a live serving)`
	data := `replace, grant, revoke: kuscia_domain_data.scores: replaced, because of "file_format"; 1 grant ends with it`
	refused("interrupted", serving)
	refused("grant", serving, data, `replace, grant: kuscia_domain_data_grant.bob: deleted and created again, with its data`)
	refused("revoke", data)
	refused("code", serving)
	program(t, 0, "", file)
	program(t, 0, "", "-fail-on", "destroy,route,drift,check,incomplete,credentials", file)
	program(t, 0, "", "-fail-on", "interrupted", "-allow", "kuscia_serving.credit", file)
	program(t, 2, "", "-fail-on", "interrupted", "-allow", "kuscia_serving.other", file)
	onlyGrant := filepath.Join("testdata", "revoked-grant", "plan.json")
	program(t, 2, "", "-fail-on", "change", onlyGrant)
	program(t, 0, "", "-fail-on", "change", "-allow", "kuscia_domain_data_grant.bob", onlyGrant)

	outputs := `{"format_version":"1.2","output_changes":{"o":{"actions":["update"]}}}`
	if _, stderr := program(t, 2, outputs, "-fail-on", "change"); stderr != "This plan is refused:\n  change: Nothing changes but 1 output.\n" {
		t.Errorf("a change of an output: %s", stderr)
	}
	program(t, 0, `{"format_version":"1.2"}`, "-fail-on", "change")
	program(t, 2, "", "-fail-on", "change", filepath.Join("testdata", "new-tag", "plan.json"))
	program(t, 0, golden(t, "nothing-to-do", "plan.json"), "-fail-on", "change", "-")

	stdout, stderr := program(t, 1, `{"format_version":"1.2","errored":true}`)
	if !strings.Contains(stdout, "The plan failed and cannot be applied") || stderr != "kuscia-review: the plan failed and cannot be applied\n" {
		t.Errorf("a plan that failed: %s%s", stdout, stderr)
	}
	// Many reasons are as many lines as one reads.
	if _, stderr := program(t, 2, planOf(t, nil, servings(200)...), "-fail-on", "change"); strings.Count(stderr, "\n") > 22 {
		t.Errorf("%d lines", strings.Count(stderr, "\n"))
	}
}

// TestName: a name is in the first lines, by which a job finds its comment.
func TestName(t *testing.T) {
	t.Parallel()
	stdout, _ := program(t, 0, `{"format_version":"1.2"}`, "-name", "live/eu-1 -->")
	if want := "<!-- kuscia-review live/eu_1____ -->\n**Kuscia, <code>live&#47;eu&#45;1 &#45;&#45;&#62;</code>:** Nothing changes."; !strings.HasPrefix(stdout, want) {
		t.Errorf("%s, want %s", stdout, want)
	}
}

// TestSize: a review of a large plan fits into a comment.
func TestSize(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("|", 300)
	var changes []attributes
	for range 3000 {
		changes = append(changes, change("kuscia_serving.glm", created, nil, glm(party(long), attributes{"serving_id": long})),
			change("kuscia_domain_data_grant.b", created, nil, attributes{"domain_id": long, "domaindata_id": long, "grant_domain": long}))
	}
	stdout, _ := program(t, 0, planOf(t, nil, changes...))
	if len(stdout) > 65536 {
		t.Errorf("%d bytes", len(stdout))
	}
	if !strings.Contains(stdout, "more rows.") || !strings.Contains(stdout, "more accesses.") {
		t.Errorf("the review does not say what it leaves out:\n%s", stdout)
	}
}

// TestLargeGraph: a graph of many different objects is bounded, and the review
// says what is not drawn; what is gone is drawn before what is new.
func TestLargeGraph(t *testing.T) {
	t.Parallel()
	var changes []attributes
	for i := range 40 {
		name := fmt.Sprint("x", i)
		changes = append(changes, change("kuscia_domain."+name, created, nil, attributes{"domain_id": name}),
			change("kuscia_domain_data."+name, created, nil, attributes{"domain_id": name, "domaindata_id": name}),
			change("kuscia_serving."+name, created, nil, glm(party(name), attributes{"serving_id": "s" + name})))
	}
	changes = append(changes, change("kuscia_serving.glm", deleted, glm(party("a")), nil))
	stdout, _ := program(t, 0, planOf(t, nil, changes...))
	if !strings.Contains(stdout, "Not drawn: 29 more domains, 32 more tables and models and 33 more servings.") {
		t.Errorf("the review does not say what it does not draw:\n%s", stdout)
	}
	if n := strings.Count(stdout, ":::"); n != 12+8+8 {
		t.Errorf("%d nodes", n)
	}
	if !strings.Contains(stdout, "([\"`glm\n\na\n\n#45; gone`\"]):::gone") {
		t.Error("what is gone is not drawn")
	}
	for i := range 20 {
		for j := range 20 {
			changes = append(changes, change("kuscia_domain_route.r", created, nil, attributes{"source": fmt.Sprint("x", i), "destination": fmt.Sprint("x", j)}))
		}
	}
	if stdout, _ = program(t, 0, planOf(t, nil, changes...)); strings.Count(stdout, "==>") > 60 || !strings.Contains(stdout, " more connections.") {
		t.Errorf("%d routes are drawn:\n%s", strings.Count(stdout, "==>"), stdout)
	}
}

// TestMark: a name of any kind leaves the mark one line, which no page shows.
func TestMark(t *testing.T) {
	t.Parallel()
	for _, text := range phrasetest.Hostile {
		if mark := review.Mark(text); strings.Count(mark, "--") != 2 || strings.Count(mark, ">") != 1 || strings.ContainsAny(mark, "\n\r") {
			t.Errorf("%q is no mark: %s", text, mark)
		}
	}
}

// BenchmarkReview reviews a plan with 2000 servings, which takes less than a second.
func BenchmarkReview(b *testing.B) {
	var changes []attributes
	for i := range 2000 {
		name := fmt.Sprint("s", i)
		before := with(glm(party("a", attributes{"pod_revision": 1})), "serving_id", name)
		changes = append(changes, change("kuscia_serving."+name, updated, before, with(glm(party("b", attributes{"pod_revision": 2})), "serving_id", name)))
	}
	content, err := json.Marshal(attributes{"format_version": "1.2", "resource_changes": changes})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if code := review.Run(nil, bytes.NewReader(content), io.Discard, io.Discard); code != 0 {
			b.Fatal(code)
		}
	}
}

// TestWholeText: the text leaves out no row, however many there are.
func TestWholeText(t *testing.T) {
	t.Parallel()
	var changes []attributes
	const n = 2500
	for i := range n {
		d := with(scores, "domaindata_id", fmt.Sprint("d", i))
		changes = append(changes, granted(fmt.Sprint("data", i), "bob"), change(fmt.Sprint("kuscia_domain_data.d", i), updated, d, with(d, "relative_uri", fmt.Sprint("x", i))))
	}
	stdout, _ := program(t, 0, planOf(t, nil, changes...), "-format", "text")
	rows := strings.Join(strings.Fields(stdout), " ")
	for _, part := range []string{`of "alice" gains access`, `"relative_uri" none "x`} {
		if got := strings.Count(rows, part); got != n {
			t.Errorf("%d of %d rows have %s", got, n, part)
		}
	}
	if strings.Contains(stdout, "\n  And ") {
		t.Error("the text says that it leaves out rows")
	}
}
