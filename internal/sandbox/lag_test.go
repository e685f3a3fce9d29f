package sandbox

import (
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/faults"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// TestLag: neither the status nor the pods change until the lag is over.
func TestLag(t *testing.T) {
	timing := cluster.RealTiming()
	timing.Lag = 30 * time.Second
	s := frozen(t, Options{Timing: timing})
	put(t, s, "a", party("alice", imageV1, 2))
	three := int32(3)
	s.Advance(29 * time.Second)
	wantShown(t, s, "a", "null")
	s.Advance(5 * time.Second)
	wantShown(t, s, "a", "Available alice 2/2/0/2")
	update(t, s, "a", "new", kuscia.ServingParty{DomainID: "alice", Replicas: &three})
	for range 29 {
		s.Advance(time.Second)
		wantShown(t, s, "a", "Available alice 2/2/0/2")
		if s.PodsRun("a") == nil {
			t.Fatal("old pods are counted as updated")
		}
	}
	s.Advance(10 * time.Second)
	wantShown(t, s, "a", "Available alice 3/3/0/3")
	must(t, s.PodsRun("a"))
}

// TestLagFault: the fault delays only what one request has changed.
func TestLagFault(t *testing.T) {
	s := frozen(t, Options{Protocol: ProtocolNOTLS})
	put(t, s, "a", party("alice", imageV1, 1))
	put(t, s, "b", party("alice", imageV1, 1))
	s.Advance(5 * time.Second)
	s.Inject(faults.Fault{Kind: FaultLag, Path: "serving/update", Contains: `"a"`, Delay: 20 * time.Second})
	for _, id := range []string{"a", "b"} {
		_, text, err := post(s, server.APIPrefix+"serving/update", `{"serving_id":"`+id+`","serving_input_config":"new"}`, time.Minute)
		if err != nil || !strings.Contains(string(text), `"code":0`) {
			t.Fatalf("%v, %s", err, text)
		}
	}
	s.Advance(10 * time.Second)
	if s.PodsRun("a") == nil || s.FaultHits() != 1 {
		t.Error("the update of a did not lag")
	}
	wantShown(t, s, "a", "Available alice 1/1/0/1")
	must(t, s.PodsRun("b"))
	s.Advance(15 * time.Second)
	must(t, s.PodsRun("a"))
}
