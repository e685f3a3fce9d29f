package deployment_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud/crudtest"
)

// TestDeleteHeld: objects of a KusciaDeployment that had finalizers stay,
// although Kuscia runs; the error says so, and how they can be deleted.
func TestDeleteHeld(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.RequireSimulated(t, "finalizers")
	state, _ := b.ApplyAndVerify(t, b.config(tree{"timeouts": tree{"delete": b.ShortLimit()}}, nil), b.None())
	b.finalizers(`["example.com/hold"]`)
	kept, said := b.Server.Delete(t, state)
	for _, want := range []string{"these objects still exist: KusciaDeployment, Deployment alice/" + b.name, "had finalizers (example.com/hold)", "delete deployments,services,configmaps -A -l " + selector(b.name)} {
		if kept.Value.IsNull() || !strings.Contains(said, want) {
			t.Errorf("the delete does not say %q: %s", want, said)
		}
	}
	b.finalizers(`[]`)
	if b.deployment() != nil || len(b.Kube.List(acctest.KubeDeployments, "alice", selector(b.name))) == 0 {
		t.Error("Kuscia has noticed that a KusciaDeployment with finalizers no longer exists")
	}
	// Nothing forgets them: neither a refresh, nor the next destroy.
	read, after := b.Read(t, kept)
	if said := crudtest.Messages(read.Diagnostics); !after.Value.IsNull() || !strings.Contains(said, "WARNING") || !strings.Contains(said, "Deployment alice/"+b.name) {
		t.Errorf("the refresh says %s", said)
	}
	if kept, said = b.Server.Delete(t, kept); kept.Value.IsNull() || !strings.Contains(said, "still exist: Deployment alice/"+b.name) {
		t.Errorf("the next destroy says %s", said)
	}
}

// TestDeleteNotSeen: a deployment whose end cannot be seen, since what Kuscia created for it
// cannot be listed, stays in the state.
func TestDeleteNotSeen(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.RequireSimulated(t, "faults")
	state := b.ApplyWithoutWarnings(t, b.config(tree{"timeouts": tree{"delete": "5s"}}, nil), b.None())
	b.Fault(acctest.KubeFault{Verb: "list", Resource: "services", Status: http.StatusNotFound, Message: "not found", Times: -1})
	if kept, said := b.Server.Delete(t, state); kept.Value.IsNull() || !strings.Contains(said, "could not determine whether objects that Kuscia created for it still exist") {
		t.Errorf("the state is %s, the delete says %s", kept.Value, said)
	}
}
