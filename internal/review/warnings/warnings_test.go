package warnings

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	t.Parallel()
	const log = `{"@level":"info","@message":"Terraform 1.11.4","type":"version"}
{"@level":"warn","type":"diagnostic","diagnostic":{"severity":"warning","summary":"App image does not exist","detail":"d","address":"kuscia_serving.a"}}

{"@level":"warn","type":"diagnostic","diagnostic":{"severity":"warning","summary":"App image does not exist","detail":"d","address":"kuscia_serving.a"}}
{"@level":"error","type":"diagnostic","diagnostic":{"severity":"error","summary":"No","detail":""}}
`
	got, err := Read(strings.NewReader(log))
	want := []Diagnostic{{"kuscia_serving.a", "App image does not exist", "d", false}, {"", "No", "", true}}
	if all := got.Diagnostics; err != nil || !slices.Equal(all, want) || !all[0].MissesReference() || all[1].MissesReference() {
		t.Errorf("%v, %v", all, err)
	}
	for input, text := range map[string]string{
		"":                                    "is empty",
		"\n\n":                                "is empty",
		"No changes.":                         "this is not the log",
		`{"format_version":"1.2"}`:            "this is not the log",
		`{"@level":"info"}` + "\nNo changes.": "this is not the log",
		`{"@level":"` + strings.Repeat("x", maxLine) + `"}`: "a line of the log is larger than 8 MiB",
	} {
		if _, err := Read(strings.NewReader(input)); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%.40s: %v, want %s", input, err, text)
		}
	}
}

// TestCheck: a log is taken for the plan with its changes, if it is complete.
func TestCheck(t *testing.T) {
	t.Parallel()
	const (
		begin   = `{"@level":"info","type":"version"}` + "\n"
		grant   = `{"@level":"info","type":"planned_change","change":{"resource":{"addr":"kuscia_domain_data_grant.b"},"action":"create"}}` + "\n"
		moved   = `{"@level":"info","type":"planned_change","change":{"resource":{"addr":"kuscia_domain.c"},"action":"move"}}` + "\n"
		drift   = `{"@level":"info","type":"resource_drift","change":{"resource":{"addr":"kuscia_domain.d"},"action":"update"}}` + "\n"
		problem = `{"@level":"error","type":"diagnostic","diagnostic":{"severity":"error","summary":"No"}}` + "\n"
		summary = `{"@level":"info","type":"change_summary","changes":{"add":1,"operation":"plan"}}` + "\n"
		applied = `{"@level":"info","type":"change_summary","changes":{"add":1,"operation":"apply"}}` + "\n"
	)
	changes := []Change{{"kuscia_domain_data_grant.b", "create"}, {"kuscia_domain.c", Other}}
	for name, test := range map[string]struct {
		log    string
		failed bool
		want   string // of the error
	}{
		"the plan":               {begin + drift + grant + moved + summary, false, ""},
		"cut off":                {begin + drift + grant + moved, false, "is not complete"},
		"of an apply":            {begin + grant + moved + applied, false, "is not complete"},
		"a change less":          {begin + moved + summary, false, "it does not have the change of \"kuscia_domain_data_grant.b\""},
		"a change more":          {begin + grant + grant + moved + summary, false, "of another plan, which changes \"kuscia_domain_data_grant.b\""},
		"another action":         {begin + strings.Replace(grant, "create", "update", 1) + moved + summary, false, "of another plan"},
		"an error of another":    {begin + grant + moved + problem + summary, false, "the plan did not fail"},
		"of a plan that failed":  {begin + problem, true, ""},
		"a part, then an error":  {begin + grant + moved + problem + summary, true, ""},
		"another one that fails": {begin + moved + problem + summary, true, "of another plan"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log, err := Read(strings.NewReader(test.log))
			if err != nil {
				t.Fatal(err)
			}
			switch err := log.Check(changes, test.failed); {
			case test.want == "" && err != nil, test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
}

// endless is a log that does not end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '\n'
	}
	return len(p), nil
}

// TestManyDiagnostics: none of them is dropped without a word.
func TestManyDiagnostics(t *testing.T) {
	t.Parallel()
	for n, fails := range map[int]bool{maxDiagnostics: false, maxDiagnostics + 1: true} {
		var lines strings.Builder
		for i := range n {
			line := fmt.Sprintf(`{"@level":"warn","type":"diagnostic","diagnostic":{"severity":"warning","summary":"%d"}}`+"\n", i)
			lines.WriteString(line + line)
		}
		log, err := Read(strings.NewReader(lines.String()))
		if fails != (err != nil && strings.Contains(err.Error(), "more than 10000")) || !fails && len(log.Diagnostics) != n {
			t.Errorf("%d: %d are kept, %v", n, len(log.Diagnostics), err)
		}
	}
}

// TestBounded: a log that does not end is an error.
func TestBounded(t *testing.T) {
	t.Parallel()
	if _, err := Read(endless{}); err == nil || !strings.Contains(err.Error(), "larger than 256 MiB") {
		t.Errorf("%v", err)
	}
}
