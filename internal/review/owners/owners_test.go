package owners

import (
	"slices"
	"strings"
	"testing"
)

func TestOwners(t *testing.T) {
	t.Parallel()
	o, err := Read(strings.NewReader(`# Who is asked
* @acme/platform
/domains/bob/ @acme/bob @bob # his data
domains/carol/** @carol
/dave.tf @dave
/domains/bob/ @acme/bob-new
[Section]
/domains/erin/
`))
	if err != nil {
		t.Fatal(err)
	}
	for domain, want := range map[string][]string{
		"bob": {"@acme/bob-new"}, "carol": {"@carol"}, "dave": {"@dave"}, "alice": {"@acme/platform"}, "erin": {},
	} {
		if got := o.Of(domain); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", domain, got, want)
		}
	}
	if got := (*Owners)(nil).Of("bob"); got != nil {
		t.Errorf("without a file: %v", got)
	}
	if _, err := Read(strings.NewReader(strings.Repeat("x", maxFile+1))); err == nil {
		t.Error("a large file is read")
	}
}
