package datasource

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
)

// TestDeletedEntry: a configuration entry that is deleted while a data source names it is a warning
// of a refresh. An update of the data source is refused before anything is sent, until there is an
// entry again or the update takes another one.
func TestDeletedEntry(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	named := func(name, key string) tree { return also(behindKey(key), tree{"name": name}) }
	state, _ := b.ApplyAndVerify(t, config(named("a", "db")), b.None())
	protocol.NoError(t, b.Run.Kuscia.DeleteConfig(t.Context(), "db"))
	b.NextRun(t)
	read, state := b.Read(t, state)
	if said := crudtest.Messages(read.Diagnostics); !strings.Contains(said, "WARNING") || strings.Contains(said, "ERROR") {
		t.Errorf("the refresh says %s", said)
	}
	before := b.Box.Count("/api/v1/domaindatasource/update")
	after, said := b.Apply(t, config(named("b", "db")), state)
	if !strings.Contains(said, `ERROR: AttributeName("info_key"): Configuration entry does not exist`) || !strings.Contains(said, "Nothing was sent.") || !after.Value.Equal(state.Value) {
		t.Errorf("an update says %s", said)
	}
	if b.Box.Count("/api/v1/domaindatasource/update") != before {
		t.Error("an update was sent")
	}
	state, _ = b.ApplyAndVerify(t, config(named("b", "other")), state)
	protocol.NoError(t, b.Run.Kuscia.DeleteConfig(t.Context(), "other"))
	b.ApplyAndVerify(t, config(also(database("mysql"), tree{"name": "c"})), state)
}
