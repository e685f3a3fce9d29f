package warnings

import (
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
	if err != nil || len(got) != 2 || got[0] != want[0] || got[1] != want[1] || !got[0].MissesReference() || got[1].MissesReference() {
		t.Errorf("%v, %v", got, err)
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

// endless is a log that does not end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '\n'
	}
	return len(p), nil
}

// TestBounded: a log that does not end is an error.
func TestBounded(t *testing.T) {
	t.Parallel()
	if _, err := Read(endless{}); err == nil || !strings.Contains(err.Error(), "larger than 256 MiB") {
		t.Errorf("%v", err)
	}
}
