package edgedeployment_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	api "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
)

// TestList asks for the list over the protocol, as `terraform query` does: with
// the filter and the limit, and each with the state that an import would have.
func TestList(t *testing.T) {
	t.Parallel()
	f := newFabric(t, sandbox.Options{})
	for i := range 5 {
		name := fmt.Sprintf("lite-%d", i)
		if i == 4 {
			name = "other"
		}
		if _, err := f.client().Create(t.Context(), v3, &api.CreateRequest{
			Name: name, NodeIDs: []string{"node-1"}, Deployment: api.Spec{Replicas: 1, Template: api.Template{
				Configs: api.PodConfigs{RestartPolicy: "Always"}, Containers: []api.Container{{Name: "app", ImageURL: "kuscia:1"}},
			}},
		}); err != nil {
			t.Fatal(err)
		}
	}
	server, err := f.factories()["kuscia"]()
	if err != nil {
		t.Fatal(err)
	}
	listing, ok := server.(tfprotov6.ListResourceServer)
	if !ok {
		t.Fatal("the provider has no list resources")
	}
	schema, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: encoded(t, schema.Provider.ValueType(), nil)})
	if err != nil || len(configured.Diagnostics) > 0 {
		t.Fatal(err, configured)
	}
	const typeName = "kuscia_edge_deployment"
	stream, err := listing.ListResource(t.Context(), &tfprotov6.ListResourceRequest{
		TypeName: typeName, IncludeResource: true, Limit: 3,
		Config: encoded(t, schema.ListResourceSchemas[typeName].ValueType(), map[string]string{"name": "lite"}),
	})
	if err != nil {
		t.Fatal(err)
	}
	of := schema.ResourceSchemas[typeName].ValueType()
	var names []string
	for result := range stream.Results {
		for _, d := range result.Diagnostics {
			t.Errorf("%s: %s", d.Summary, d.Detail)
		}
		if result.Resource == nil || result.Identity == nil {
			t.Fatalf("%q has no state or no identity", result.DisplayName)
		}
		value, err := result.Resource.Unmarshal(of)
		if err != nil || !value.IsFullyKnown() {
			t.Fatal(value, err)
		}
		names = append(names, result.DisplayName)
	}
	if got := fmt.Sprint(names); got != "[lite-0 lite-1 lite-2]" {
		t.Errorf("found %s", got)
	}
}

// encoded is an object in which everything but some texts is null.
func encoded(t *testing.T, of tftypes.Type, texts map[string]string) *tfprotov6.DynamicValue {
	t.Helper()
	object, ok := of.(tftypes.Object)
	if !ok {
		t.Fatalf("%s is no object", of)
	}
	values := map[string]tftypes.Value{}
	for name, attribute := range object.AttributeTypes {
		values[name] = tftypes.NewValue(attribute, nil)
		if text, ok := texts[name]; ok {
			values[name] = tftypes.NewValue(attribute, text)
		}
	}
	value, err := tfprotov6.NewDynamicValue(of, tftypes.NewValue(of, values))
	if err != nil {
		t.Fatal(err)
	}
	return &value
}
