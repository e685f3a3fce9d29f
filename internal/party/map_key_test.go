package party

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestMapKeys covers the keys of a response's parties: those of the state, of an
// import, and of parties whose key is taken.
func TestMapKeys(t *testing.T) {
	t.Parallel()
	alice, bob, host := Key{DomainID: "alice"}, Key{DomainID: "bob"}, Key{DomainID: "alice", Role: "host"}
	for name, test := range map[string]struct {
		parties []Key
		known   map[string]Key
		want    []string
	}{
		"import":                      {[]Key{bob, alice, host}, nil, []string{"bob", "alice", "alice/host"}},
		"keys of the state":           {[]Key{host, alice}, map[string]Key{"h": host, "a": alice}, []string{"h", "a"}},
		"one disappeared":             {[]Key{bob}, map[string]Key{"bob": bob, "h": host}, []string{"bob"}},
		"its key is taken":            {[]Key{bob, alice}, map[string]Key{"bob": alice}, []string{"bob#2", "bob"}},
		"the same party twice":        {[]Key{bob, bob, bob}, nil, []string{"bob", "bob#2", "bob#3"}},
		"twice, one key in the state": {[]Key{bob, bob}, map[string]Key{"bob#2": bob}, []string{"bob#2", "bob"}},
		"a party without a domain":    {[]Key{{}, {}}, nil, []string{"", "#2"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := MapKeys(test.parties, test.known); !slices.Equal(got, test.want) {
				t.Errorf("keys %q, want %q", got, test.want)
			}
		})
	}
}

func TestDescribeRenamed(t *testing.T) {
	t.Parallel()
	alice, bob, host := Key{DomainID: "alice"}, Key{DomainID: "bob"}, Key{DomainID: "alice", Role: "host"}
	for name, test := range map[string]struct {
		after map[string]Key
		want  string
	}{
		"same":         {map[string]Key{"alice": alice, "bob": bob}, ""},
		"added":        {map[string]Key{"alice": alice, "bob": bob, "host": host}, ""},
		"another role": {map[string]Key{"host": host, "bob": bob}, ""},
		"renamed":      {map[string]Key{"a": alice, "bob": bob}, `parties["a"] was parties["alice"]: it`},
		"swapped":      {map[string]Key{"bob": alice, "alice": bob}, `parties["alice"] was parties["bob"], parties["bob"] was parties["alice"]: each`},
	} {
		first, got := DescribeRenamed(map[string]Key{"alice": alice, "bob": bob}, test.after)
		if (got == "") != (test.want == "") || !strings.HasPrefix(got, test.want) || got != "" && !strings.HasPrefix(got, fmt.Sprintf("parties[%q] was", first)) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestUniqueKeys: only names that occur again get a number.
func TestUniqueKeys(t *testing.T) {
	t.Parallel()
	got := UniqueKeys([]string{"main", "side", "main", "main#2", "main"})
	if want := []string{"main", "side", "main#2", "main#2#2", "main#3"}; !slices.Equal(got, want) {
		t.Errorf("keys %q, want %q", got, want)
	}
}
