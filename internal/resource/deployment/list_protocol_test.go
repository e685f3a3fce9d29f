package deployment_test

import (
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/deployment"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestList: a list finds KusciaDeployments by label and domain, in the order of their
// names, as many as are asked for.
func TestList(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	party := tree{"app_image": b.name}
	for name, parties := range map[string]tree{"-a": {"alice": party}, "-b": {"alice": party, "bob": party}, "-c": {"alice": party}} {
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
	for name, test := range map[string]struct {
		selector, domain string
		limit            int64
		want             []string
	}{
		"by two labels":         {selector: "of=" + b.name + ",is-c=no", want: []string{"-a", "-b"}},
		"by domain":             {selector: "of=" + b.name, domain: "bob", want: []string{"-b"}},
		"a limit after filters": {selector: "of=" + b.name, domain: "bob", limit: 1, want: []string{"-b"}},
	} {
		config := protocol.Object{"label_selector": test.selector}
		if test.domain != "" {
			config["domain_id"] = test.domain
		}
		results, diagnostics := r.List(t.Context(), t, protocol.Query{Config: config, Limit: test.limit})
		protocol.Check(t, nil, diagnostics)
		var got []string
		for _, result := range results {
			got = append(got, result.DisplayName[min(len(b.name), len(result.DisplayName)):])
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: found %q, want %q", name, got, test.want)
		}
	}
}

// TestDataSources: the data sources show the deployments that a resource has, with their IDs.
func TestDataSources(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state := b.ApplyWithoutWarnings(t, b.config(tree{"wait_for_rollout": false, "labels": map[string]string{"of": b.name}}, nil), b.None())
	finder := crudtest.NewFinder(t, b.c, deployment.Types)
	one, said := finder.ReadData(t, "kuscia_deployment", map[string]string{"name": b.name})
	many, more := finder.ReadData(t, "kuscia_deployments", map[string]string{"label_selector": "of=" + b.name})
	found := definition.ElementsOf(definition.FieldsOf(many)["deployments"])
	if said+more != "" || len(found) != 1 {
		t.Fatalf("found %s, %s, %s", many, said, more)
	}
	for _, shown := range []definition.Value{one, found[0]} {
		for _, name := range []string{"id", "name", "initiator"} {
			if got, want := definition.StringAt(shown, name), state.Text(name); got != want || want == "" {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
	}
}
