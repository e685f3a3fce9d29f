package edgedeployment_test

import (
	"strings"
	"testing"

	api "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccEdgeDeployment_adoptedIsNotDeleted: with adopt_existing and
// create_before_destroy, the create of a replacement finds the deployment that
// it is about to replace. It adopts that deployment, and the delete then keeps
// it.
func TestAccEdgeDeployment_adoptedIsNotDeleted(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestAdoptedIsNotDeleted", "TestLostCreateAdopted"))
	t.Parallel()
	for name, test := range map[string]struct {
		scope api.Scope
		top   string
		taint bool
	}{
		"tainted":             {scope: v3, taint: true},
		"in another instance": {scope: api.Scope{Version: api.V2, InstanceID: "i-1"}, top: lines(`api_version = "v2"`, `instance_id = "i-1"`)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFabric(t, sandbox.Options{InstanceIDs: []string{"i-1"}})
			f.extra["KUSCIA_ADOPT_EXISTING"] = "true"
			w := acctest.NewWorkspace(t, f.factories())
			w.Write("main.tf", conf{name: "adopted", top: lines(test.top, "lifecycle {", "create_before_destroy = true", "}")}.hcl())
			w.Init()
			w.DestroyAtEnd()
			w.Apply()
			before, since := f.find(test.scope, "adopted"), len(f.Requests())
			arguments := []string{"apply", "-auto-approve", "-input=false"}
			if test.taint {
				w.Run(0, "taint", address)
			} else {
				arguments = append(arguments, "-replace="+address)
			}
			output := strings.Join(strings.Fields(w.Run(0, arguments...)), " ")
			for _, want := range []string{`Edge deployment existed and was adopted`, `Edge deployment was not deleted`, `edge deployment "adopted"`, "remove create_before_destroy"} {
				if !strings.Contains(output, want) {
					t.Errorf("no %q in\n%s", want, output)
				}
			}
			if sent := f.writes(since); len(sent) > 0 {
				t.Errorf("%d requests that change something: %s %s", len(sent), sent[0].Method, sent[0].Path)
			}
			if !f.Exists("adopted") {
				t.Fatal("the edge deployment was deleted")
			}
			if after := f.find(test.scope, "adopted"); after.ID != before.ID {
				t.Errorf("the edge deployment %s became %s", before.ID, after.ID)
			}
			w.Plan(acctest.PlanEmpty)
		})
	}
}
