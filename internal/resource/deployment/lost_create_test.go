package deployment_test

import (
	"net/http"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// TestLostCreate: after a create whose outcome could not be determined, a refresh and a
// delete leave alone what may be another client's, and say so. A write-only text cannot
// be compared.
func TestLostCreate(t *testing.T) {
	t.Parallel()
	k := acctest.NewKube(t)
	k.RequirePlayed(t, "faults")
	for name, test := range map[string]struct {
		with  tree
		edit  string
		keeps bool
	}{
		"ours":                 {tree{"input_config": "{}"}, "", true},
		"somebody else's":      {tree{"input_config": "{}"}, `{"spec":{"inputConfig":"theirs"}}`, false},
		"with write-only text": {tree{"input_config_wo": "{}", "input_config_wo_version": int64(1)}, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBenchOn(t, k)
			b.Fault(acctest.KubeFault{Verb: "create", Resource: "kusciadeployments", Cut: acctest.KubeCutAfter})
			b.Fault(acctest.KubeFault{Verb: "get", Resource: "kusciadeployments", Status: http.StatusForbidden, Times: -1})
			state, said := b.Apply(t, b.config(test.with, nil), b.None())
			b.NoFaults()
			if state.Value.IsNull() || !strings.Contains(said, "It is unknown whether") {
				t.Fatalf("create: state %s, diagnostics %s", state.Value, said)
			}
			if test.edit != "" {
				b.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, b.name, types.MergePatchType, test.edit)
			}
			response, read := b.Read(t, state)
			if said := protocol.Messages(response.Diagnostics); read.Value.IsNull() == test.keeps || strings.Contains(said, "was removed from the state") == test.keeps {
				t.Errorf("refresh: state %s, diagnostics %s", read.Value, said)
			}
			_, said = b.Server.Delete(t, state)
			if left := b.deployment() != nil; left == test.keeps || strings.Contains(said, "was not deleted") == test.keeps || strings.Contains(said, `id = "`+b.name+`"`) == test.keeps {
				t.Errorf("delete: left %t, diagnostics %s", left, said)
			}
		})
	}
}
