package run

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// TestFromProviderData: there is no data before the provider is configured, and other data is a bug.
func TestFromProviderData(t *testing.T) {
	t.Parallel()
	for _, data := range []any{nil, "text"} {
		var diags diag.Diagnostics
		if c := FromProviderData(data, &diags); c != nil || diags.HasError() != (data != nil) {
			t.Errorf("%v: %v, %v", data, c, diags)
		}
	}
}

// TestValue: the first call makes the value of a key, and keys of the same name and different types
// are different.
func TestValue(t *testing.T) {
	t.Parallel()
	const (
		numbers Key[*int]    = "of a name"
		texts   Key[*string] = "of a name"
	)
	r := &Run{}
	number, text := Value(r, numbers, func() *int { return new(int) }), Value(r, texts, func() *string { return new(string) })
	if number == nil || text == nil || Value(r, numbers, func() *int { return nil }) != number || Value(r, texts, func() *string { return nil }) != text {
		t.Error("a second call has another value")
	}
	if Value(&Run{}, numbers, func() *int { return new(int) }) == number {
		t.Error("two runs have the same value")
	}
}

// TestNotConfigured: before the provider is configured there is no run, which its methods say.
func TestNotConfigured(t *testing.T) {
	t.Parallel()
	var r *Run
	for what, ask := range map[string]func(*diag.Diagnostics) bool{
		"Kuscia":         r.ReadyKuscia,
		"the Kubernetes": func(diags *diag.Diagnostics) bool { _, ready := r.ReadyKubernetes(diags); return ready },
		"IEF":            func(diags *diag.Diagnostics) bool { _, ready := r.ReadyIEF(diags); return ready },
	} {
		var diags diag.Diagnostics
		if ask(&diags) || len(diags) != 1 || diags[0].Summary() != "Provider not configured" {
			t.Errorf("%s: %v", what, diags)
		}
	}
	if _, err := r.OpenKubernetes(); err == nil || r.HasKubernetes() {
		t.Error("there is a cluster")
	}
}
