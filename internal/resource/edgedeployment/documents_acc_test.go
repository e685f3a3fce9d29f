package edgedeployment_test

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccEdgeDeployment_documents: the requests of the vendor's documents as
// Terraform send exactly their bodies, field by field. The body of the update
// of v2 is put together from its table and from the example of an application
// version, which has the same tables; its own example is known in part.
func TestAccEdgeDeployment_documents(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ version, name, query string }{
		{"v2", "deployment-test", "force_delete=true"},
		{"v3", "app", ""},
	} {
		t.Run(test.version, func(t *testing.T) {
			t.Parallel()
			f := newFabric(t, sandbox.Options{})
			var since int
			sent := func(method, file string) resource.TestCheckFunc {
				return func(*terraform.State) error {
					writes := f.writes(since)
					if len(writes) != 1 || writes[0].Method != method {
						return fmt.Errorf("%d requests that change something, want one %s", len(writes), method)
					}
					content, err := os.ReadFile("testdata/documents/" + file + "-" + test.version + ".json")
					if err != nil {
						return err
					}
					var want any
					if err := json.Unmarshal(content, &want); err != nil {
						return err
					}
					if got := body(t, writes[0]); !reflect.DeepEqual(got, want) {
						return fmt.Errorf("sent\n%s\nwant\n%s", writes[0].Body, content)
					}
					return nil
				}
			}
			f.run(test.name,
				resource.TestStep{
					PreConfig: f.mark(&since), ConfigFile: acctest.File("documents/create-" + test.version + ".tf"), Check: sent("POST", "create"),
					ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
				},
				resource.TestStep{
					PreConfig: f.mark(&since), ConfigFile: acctest.File("documents/update-" + test.version + ".tf"), Check: sent("PUT", "update"),
					ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
				},
			)
			requests := f.Requests()
			for i := len(requests) - 1; i >= 0; i-- {
				if requests[i].Method == "DELETE" {
					if got := requests[i].Query.Encode(); got != test.query {
						t.Errorf("the delete has the query %q, want %q", got, test.query)
					}
					return
				}
			}
			t.Error("nothing was deleted")
		})
	}
}
