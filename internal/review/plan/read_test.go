package plan

import (
	"io"
	"runtime"
	"strings"
	"testing"
)

// TestLimit: what is too large is not decoded.
func TestLimit(t *testing.T) {
	t.Parallel()
	text := `{"format_version":"1.2"}`
	if _, err := readUpTo(strings.NewReader(text), int64(len(text)), 100, 10); err != nil {
		t.Error(err)
	}
	if _, err := readUpTo(strings.NewReader(text+" "), int64(len(text))-1, 100, 10); err == nil || err.Error() != "the plan is larger than 0 MiB" {
		t.Errorf("a plan above the limit: %v", err)
	}
	changes := `{"format_version":"1.2","prior_state":{"a":["` + strings.Repeat("x", 1000) + `",{"b":[]}]},"resource_changes":[` + strings.Repeat(`{"change":{"actions":["no-op"]}},`, 3) + `{"change":{"actions":["no-op"]}}]}`
	if plan, err := readUpTo(strings.NewReader(changes), 10000, 200, 100); err != nil || len(plan.ResourceChanges) != 4 {
		t.Errorf("what a review does not need counts: %v", err)
	}
	if _, err := readUpTo(strings.NewReader(changes), 10000, 100, 100); err == nil || !strings.Contains(err.Error(), "the changes of the plan are larger than 0 MiB") {
		t.Errorf("changes above the limit: %v", err)
	}
	small := `{"format_version":"1.2","resource_changes":[{"change":{"actions":["no-op"],"before":{"a":"[,{:","b":[` + strings.Repeat("{},", 50) + `{}]}}}]}`
	if _, err := readUpTo(strings.NewReader(small), 10000, 1000, 130); err != nil {
		t.Errorf("values below the limit: %v", err)
	}
	if _, err := readUpTo(strings.NewReader(small), 10000, 1000, 100); err == nil || !strings.Contains(err.Error(), "the changes of the plan have more than 100 values") {
		t.Errorf("values above the limit: %v", err)
	}
}

// repeated is a text after which another is repeated without end.
type repeated struct {
	first io.Reader
	text  string
	at    int
}

func (r *repeated) Read(p []byte) (int, error) {
	if n, err := r.first.Read(p); err == nil {
		return n, nil
	}
	n := 0
	for n < len(p) {
		copied := copy(p[n:], r.text[r.at:])
		n, r.at = n+copied, (r.at+copied)%len(r.text)
	}
	return n, nil
}

// TestMemory: a plan without end is an error in bounded memory, wherever it has no end.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: it reads 256 MiB several times; TestLimit shows the limits")
	}
	change := `{"address":"kuscia_domain.a","type":"kuscia_domain","change":{"actions":["no-op"],"before":{"a":[{},{},{}]},"after":{"a":"` + strings.Repeat("b", 100) + `"}}},`
	for name, test := range map[string]struct{ first, text string }{
		"changes":         {`{"format_version":"1.2","resource_changes":[`, change},
		"a text":          {`{"format_version":"1.2","resource_changes":[{"address":"`, "a"},
		"a nested list":   {`{"format_version":"1.2","resource_changes":[{"change":{"before":`, "["},
		"what is skipped": {`{"format_version":"1.2","prior_state":[`, change},
		"a skipped text":  {`{"format_version":"1.2","prior_state":"`, "a"},
		"spaces":          {``, " "},
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		_, err := Read(&repeated{first: strings.NewReader(test.first), text: test.text})
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: no error", name)
		}
		if grown := (after.Sys - before.Sys) >> 20; after.Sys > before.Sys && grown > 1500 {
			t.Errorf("%s: %d MiB more memory (%v)", name, grown, err)
		}
		t.Logf("%s: %v", name, err)
	}
}
