package faulttest_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestUsersOfDeletedDomain: the plan of the deletion of a domain warns of its data and grants, but
// not of those that the same plan deletes.
func TestUsersOfDeletedDomain(t *testing.T) {
	t.Parallel()
	e, s := referenceBed(t)
	r := s.Resource(t, "kuscia_domain_data_grant")
	r.Create(t, protocol.Value(r.Kind, referenceCases()["data"].config))
	deletion := func(s *protocol.Server, kind, id string) string {
		r := s.Resource(t, kind)
		state, said := r.Import(t, id)
		if said != "" {
			t.Fatal(said)
		}
		response, _ := r.Plan(t, r.None().Value, state)
		return protocol.Messages(response.Diagnostics)
	}
	said := deletion(e.Server(nil), "kuscia_domain", "alice")
	for _, text := range []string{"WARNING", `domain "alice"`, "is still used", `domain data "alice/table"`, `grant "alice/g"`} {
		if !strings.Contains(said, text) {
			t.Errorf("%q is not in %s", text, said)
		}
	}
	together := e.Server(nil)
	said = deletion(together, "kuscia_domain_data_grant", "alice/g") + deletion(together, "kuscia_domain_data", "alice/table") + deletion(together, "kuscia_domain", "alice")
	if said != "" {
		t.Errorf("a destroy of all says %s", said)
	}
}
