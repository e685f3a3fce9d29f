package deployment_test

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestList: a list finds KusciaDeployments by label and domain, in the order of their
// names, as many as are asked for. A listed resource is the same as after an import.
func TestList(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	party := func(domain string) tree { return tree{"domain_id": domain, "app_image": b.name} }
	for name, parties := range map[string][]any{"-a": {party("alice")}, "-b": {party("alice"), party("bob")}, "-c": {party("alice")}} {
		b.ApplyAndVerify(t, b.config(tree{
			"name": b.name + name, "parties": parties, "wait_for_rollout": false,
			"labels": map[string]string{"of": b.name, "is-c": map[bool]string{true: "yes", false: "no"}[name == "-c"]},
		}, nil), b.None())
	}
	server, err := acctest.Factories(b.Variables())["kuscia"]()
	if err != nil {
		t.Fatal(err)
	}
	r := protocol.NewServer(t, server).Configure(t, nil).Resource(t, "kuscia_deployment")
	identity := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"name": tftypes.String}}
	for name, test := range map[string]struct {
		selector, domain string
		limit            int64
		with             bool
		want             []string
	}{
		"by label":              {selector: "of=" + b.name, want: []string{"-a", "-b", "-c"}},
		"with their resources":  {selector: "of=" + b.name, with: true, want: []string{"-a", "-b", "-c"}},
		"by two labels":         {selector: "of=" + b.name + ",is-c=no", want: []string{"-a", "-b"}},
		"by domain":             {selector: "of=" + b.name, domain: "bob", want: []string{"-b"}},
		"limited":               {selector: "of=" + b.name, limit: 2, want: []string{"-a", "-b"}},
		"a limit after filters": {selector: "of=" + b.name, domain: "bob", limit: 1, want: []string{"-b"}},
		"of no domain":          {selector: "of=" + b.name, domain: "nobody"},
		"none":                  {selector: "of=none-" + b.name},
	} {
		config := protocol.Object{"label_selector": test.selector}
		if test.domain != "" {
			config["domain_id"] = test.domain
		}
		results, diagnostics := r.List(t.Context(), t, protocol.Query{Config: config, Limit: test.limit, IncludeResource: test.with})
		protocol.Check(t, nil, diagnostics)
		var got []string
		for _, result := range results {
			got = append(got, result.DisplayName[min(len(b.name), len(result.DisplayName)):])
			want := protocol.Value(identity, protocol.Object{"name": result.DisplayName})
			if has := protocol.Decode(identity, result.Identity.IdentityData); !has.Equal(want) {
				t.Errorf("%s: identity %s of %s", name, has, result.DisplayName)
			}
			if (result.Resource != nil) != test.with {
				t.Errorf("%s: the resource is %v", name, result.Resource)
			}
			if test.with {
				imported, said := r.ImportIdentity(t, result.Identity)
				fields := definition.FieldsOf(protocol.Decode(r.Kind, result.Resource))
				fields["timeouts"] = definition.FieldsOf(imported.Value)["timeouts"] // null, or one that sets nothing
				if listed := tftypes.NewValue(r.Kind, fields); said != "" || !listed.Equal(imported.Value) {
					differences, _ := listed.Diff(imported.Value)
					t.Errorf("%s: listed and imported differ: %v %s", name, differences, said)
				}
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: found %q, want %q", name, got, test.want)
		}
	}
}
