package domainroute_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

type attrs = protocol.Object

// TestStatus: what a plan of a new route knows, and the status in the data source.
func TestStatus(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	source, destination := e.Name("from"), e.Name("to")
	for _, id := range []string{source, destination} {
		e.Do(func(ctx context.Context, api *kuscia.Client) error {
			return api.CreateDomain(ctx, &kuscia.DomainRequest{DomainID: id})
		})()
		e.Cleanup(func(ctx context.Context, api *kuscia.Client) error { return api.DeleteDomain(ctx, id) })
	}
	r := e.Server(nil).Resource(t, "kuscia_domain_route")
	config := protocol.Value(r.Kind, attrs{
		"source": source, "destination": destination, "authentication_type": "Token",
		"endpoint": attrs{"host": "gateway.example", "ports": []any{attrs{"name": "http", "port": 1080, "protocol": "HTTP"}}},
	})
	_, planned := r.Plan(t, config, r.None())
	if plan := protocol.Fields(planned); protocol.Text(plan["id"]) != source+"/"+destination || protocol.Text(plan["name"]) != source+"-"+destination {
		t.Errorf("the plan is %s", planned)
	}
	state := r.Create(t, config)
	ends := attrs{"source": source, "destination": destination}
	value, diagnostics := e.Server(nil).DataSource(t, "kuscia_domain_route", ends)
	protocol.Check(t, nil, diagnostics)
	shown, _ := protocol.Plain(value).(attrs)
	if status, _ := shown["status"].(string); !slices.Contains([]string{"Succeeded", "Failed"}, status) || shown["reason"] == nil {
		t.Errorf("the data source shows %v", shown)
	}
	if _, said := r.Delete(t, state); said != "" {
		t.Error(said)
	}
	_, diagnostics = e.Server(nil).DataSource(t, "kuscia_domain_route", ends)
	if said := protocol.Messages(diagnostics); !strings.Contains(said, "Kuscia has no domain route") {
		t.Error(said)
	}
}
