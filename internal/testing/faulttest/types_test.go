package faulttest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestEveryType: what every type of the provider refuses before anything is sent: wrong import
// IDs, identities and filters of lists. The servers do not exist, so that a request is another error.
func TestEveryType(t *testing.T) {
	t.Parallel()
	s := protocol.NewServer(t, newServer()).Configure(t, attrs{
		"endpoint": "https://127.0.0.1:1", "kubernetes": attrs{"host": "https://127.0.0.1:1"},
		"ief": attrs{"endpoint": "https://127.0.0.1:1", "project_id": "none", "token": "none"},
	})
	for name := range s.Schemas.ResourceSchemas {
		r := s.Resource(t, name)
		for _, id := range []string{"", "/", "a/b/c/d/e/f/g", "Not A Name!\n"} {
			state, said := r.Import(t, id)
			refused(t, fmt.Sprintf("%s: the import ID %q", name, id), said, "Invalid import ID", !state.Value.IsNull())
		}
		schema := r.IdentitySchema(t)
		if schema == nil {
			if name != "kuscia_rollout_approval" { // it is no object, and changes with each step
				t.Errorf("%s has no identity", name)
			}
			continue
		}
		_, said := r.ImportIdentity(t, r.IdentityData(t, nil)) // Terraform sends a null identity with an ID
		refused(t, name+": an empty import ID with a null identity", said, "Invalid import ID", false)
		identity := attrs{}
		for _, attribute := range schema.IdentityAttributes {
			identity[attribute.Name] = map[bool]any{true: nil, false: "x"}[attribute.OptionalForImport]
		}
		for _, attribute := range schema.IdentityAttributes {
			for _, value := range []any{nil, "", "Not A Name!\n"} {
				if (value == nil || value == "") && attribute.OptionalForImport {
					continue
				}
				state, said := r.ImportIdentity(t, r.IdentityData(t, with(identity, attrs{attribute.Name: value})))
				said = strings.ReplaceAll(said, strings.ToUpper(attribute.Name), attribute.Name)
				refused(t, fmt.Sprintf("%s: the identity with %s = %#v", name, attribute.Name, value), said, attribute.Name, !state.Value.IsNull())
			}
		}
	}
	for name, schema := range s.Schemas.ListResourceSchemas {
		filters := attrs{}
		for _, filter := range schema.Block.Attributes {
			if filter.Required {
				filters[filter.Name] = "x"
			}
		}
		for _, filter := range schema.Block.Attributes {
			for _, value := range []any{"", protocol.Unknown{}} { // it would find too many
				if value == "" && filter.Name == "instance_id" {
					continue // one without a name
				}
				results, diagnostics := s.Resource(t, name).List(t.Context(), t, protocol.Query{Config: with(filters, attrs{filter.Name: value})})
				refused(t, fmt.Sprintf("%s: the filter %s = %#v", name, filter.Name, value), protocol.Messages(diagnostics), fmt.Sprintf("AttributeName(%q)", filter.Name), len(results) > 0)
			}
		}
	}
}

// refused checks that something is refused with an error that contains a text, and is
// neither an error of a server that does not exist nor a fault of the provider, and has no result.
func refused(t *testing.T, what, said, text string, result bool) {
	t.Helper()
	if !strings.Contains(said, "ERROR") || !strings.Contains(said, text) || result {
		t.Errorf("%s: result %t, said %q", what, result, said)
	}
	for _, text := range []string{"127.0.0.1:1", "issue in the provider", "provider developers", "panic"} {
		if strings.Contains(said, text) {
			t.Errorf("%s: %s", what, said)
		}
	}
}
