package kube

import "testing"

// TestEscapeJSONPointer: a name stays one part of a JSON pointer (RFC 6901).
func TestEscapeJSONPointer(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"app": "app", "a.b/c": "a.b~1c", "a~1/b": "a~01~1b"} {
		if got := EscapeJSONPointer(name); got != want {
			t.Errorf("%q is escaped as %q, want %q", name, got, want)
		}
	}
}
