package crud_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/clients"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestAPIOf: everything that an object can have calls the API of its plan or state, and the
// data source that of its id.
func TestAPIOf(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, false, waitForToken, func(s *crud.Spec[widget]) {
			api := s.API
			s.API = nil
			s.APIOf = func(c *clients.Clients, object definition.Value) crud.API[widget] {
				if domain := definition.StringAt(object, "domain_id"); domain != "alice" {
					t.Errorf("the API of domain %q is called, for %s", domain, object)
				}
				return api(c)
			}
			s.Deleting = func(*widget) bool { return false }
			s.ConsistencyDelay = time.Second
			s.BulkRead = &crud.BulkRead[widget]{Group: func(id crud.ID) string { return id[0] }}
		})
		config := b.configured(nil)
		state := b.ApplyWithoutWarnings(t, config, b.None())
		config = b.configured(tree{"size": 5})
		state = b.ApplyWithoutWarnings(t, config, state)
		b.CheckNoDrift(t, config, state)
		data := crudtest.NewFinder(t, &clients.Clients{}, crud.Types{
			Resources: []func() resource.Resource{b.object.NewResource}, DataSources: []func() datasource.DataSource{b.object.NewDataSource("A widget.")},
		})
		if value, said := data.ReadData(t, "kuscia_widget", map[string]string{"domain_id": "alice", "widget_id": "made-alice"}); said != "" || definition.StringAt(value, "token") != "token" {
			t.Errorf("the data source reads %s, said %q", value, said)
		}
		b.DeleteTwice(t, state)
	})
}

// TestListedWithRefresh: a list has the state that an import has after its refresh, whose rules
// are those of the object.
func TestListedWithRefresh(t *testing.T) {
	t.Parallel()
	b := newBench(t, false, func(s *crud.Spec[widget]) {
		s.Refresh = func(_ context.Context, _ *clients.Clients, w crud.Watched[widget], found *widget, _ *diag.Diagnostics) (definition.Value, crud.Memory) {
			fields := map[string]definition.Value{"widget_id": definition.StringValue(found.id), "title": definition.StringValue("not imported")}
			if w.Imported {
				fields["title"] = definition.StringValue("imported " + found.id)
			}
			return definition.WithFields(w.Planned, fields), w.Memory
		}
		s.Schema.Attributes = append(s.Schema.Attributes, definition.Attribute{Name: "only_here", Presence: definition.Optional, Local: true, Description: "Local."})
	})
	b.server.put(widget{domain: "alice", id: "a"})
	imported := b.Imported(t, "alice/a")
	if imported.Text("title") != "imported a" {
		t.Errorf("the import is %s", imported.Value)
	}
	listing := crud.Listing[widget]{
		Title: "widgets", QueryDescription: "Widgets.",
		Find: func(context.Context, *clients.Clients, map[string]string, int64) ([]widget, error) {
			return []widget{b.server.has["alice/a"]}, nil
		},
		ID: func(_ map[string]string, w *widget) crud.ID { return crud.ID{w.domain, w.id} },
	}
	found, said := crudtest.NewFinder(t, &clients.Clients{}, crud.Types{
		Resources: []func() resource.Resource{b.object.NewResource}, ListResources: []func() list.ListResource{b.object.NewListResource(listing)},
	}).List(t, "kuscia_widget", nil, 0)
	if len(found) != 1 || said != "" || !found[0].Value.Equal(imported.Value) {
		t.Errorf("listed %v, said %q; imported is %s", found, said, imported.Value)
	}
}
