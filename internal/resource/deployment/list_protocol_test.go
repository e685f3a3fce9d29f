package deployment_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/deployment"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestList: a list finds KusciaDeployments by label and domain, in the order of their
// names, as many as are asked for, and the data source finds the same.
func TestList(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	party := tree{"app_image": b.name}
	for name, parties := range map[string]tree{"-a": {"alice": party}, "-b": {"alice": party, "bob": party}, "-c": {"alice": party}} {
		labels := map[string]string{"of": b.name, "is-c": map[bool]string{true: "yes", false: "no"}[name == "-c"]}
		b.ApplyWithoutWarnings(t, b.config(tree{"name": b.name + name, "parties": parties, "wait_for_rollout": name == "-a", "labels": labels}, nil), b.None())
	}
	r, finder := acctest.NewServer(t, b.Variables()).Resource(t, "kuscia_deployment"), crudtest.NewFinder(t, b.c, deployment.Types)
	for name, test := range map[string]struct {
		selector, domain string
		limit            int64
		want             []string
	}{
		"by two labels":         {selector: "of=" + b.name + ",is-c=no", want: []string{"-a", "-b"}},
		"a limit after filters": {selector: "of=" + b.name, domain: "bob", limit: 1, want: []string{"-b"}},
	} {
		config := protocol.Object{"label_selector": test.selector}
		if test.domain != "" {
			config["domain_id"] = test.domain
		}
		results, diagnostics := r.List(t.Context(), t, protocol.Query{Config: config, Limit: test.limit})
		protocol.Check(t, nil, diagnostics)
		var listed, found []string
		for _, result := range results {
			listed = append(listed, strings.TrimPrefix(result.DisplayName, b.name))
		}
		data, said := finder.ReadData(t, "kuscia_deployments", map[string]string{"label_selector": test.selector})
		for _, one := range definition.ElementsOf(definition.FieldsOf(data)["deployments"]) {
			found = append(found, strings.TrimPrefix(definition.StringAt(one, "name"), b.name))
		}
		if !slices.Equal(listed, test.want) || test.domain == "" && !slices.Equal(found, test.want) || said != "" {
			t.Errorf("%s: listed %q, found %q, want %q: %s", name, listed, found, test.want, said)
		}
	}
	data, said := finder.ReadData(t, "kuscia_deployment", map[string]string{"name": b.name + "-a"})
	of := definition.FieldsOf(definition.FieldsOf(definition.FieldsOf(data)["deployments"])["alice/"+b.name+"-a"])
	if replicas, _ := definition.NumberOf(of["replicas"]); replicas != 1 {
		t.Errorf("the Deployment of alice is %v: %s", of, said)
	}
}
