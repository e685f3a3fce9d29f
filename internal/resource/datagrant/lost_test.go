package datagrant

import (
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestLostWithData: a grant whose data was replaced after the plan, as by another provider block,
// cannot be updated. The error says why, and the next apply creates it.
func TestLostWithData(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	state, _ := b.ApplyAndVerify(t, config(nil), b.None())
	data := kuscia.DomainDataKey{DomainID: "alice", DomainDataID: "table"}
	protocol.NoError(t, b.Run.Kuscia.DeleteDomainData(t.Context(), data))
	b.Box.Advance(time.Minute)
	_, err := b.Run.Kuscia.CreateDomainData(t.Context(), &kuscia.DomainDataRequest{DomainID: "alice", DomainDataID: "table", Type: "table", RelativeURI: "table"})
	protocol.NoError(t, err)
	b.NextRun(t)
	limited := config(tree{"limit": tree{"use_count": 3}})
	_, said := b.Apply(t, limited, state)
	if !strings.Contains(said, "11705") || !strings.Contains(said, "deletes the grants of domain data with it") || !strings.Contains(said, "The next apply creates the grant.") {
		t.Errorf("it says %s", said)
	}
	_, state = b.Read(t, state)
	b.ApplyAndVerify(t, limited, state)
}
