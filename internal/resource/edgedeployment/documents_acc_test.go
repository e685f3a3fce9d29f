package edgedeployment_test

import (
	"encoding/json"
	"os"
	"reflect"
	"testing"

	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// TestAccEdgeDeployment_documents: the requests of the vendor's documents as
// Terraform send exactly their bodies, field by field. The body of the update
// of v2 is put together from its table and from the example of an application
// version, which has the same tables; its own example is known in part.
func TestAccEdgeDeployment_documents(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ version, query string }{{"v2", "force_delete=true"}, {"v3", ""}} {
		t.Run(test.version, func(t *testing.T) {
			t.Parallel()
			f := newFabric(t, sandbox.Options{})
			w := acctest.NewWorkspace(t, f.factories())
			sends := func(method, file string) {
				document := "testdata/documents/" + file + "-" + test.version
				w.Write("main.tf", read(t, document+".tf"))
				if method == "POST" {
					w.Init()
				}
				since := len(f.Requests())
				w.Apply()
				writes := f.writes(since)
				if len(writes) != 1 || writes[0].Method != method {
					t.Fatalf("%d requests that change something, want one %s", len(writes), method)
				}
				var want any
				if err := json.Unmarshal([]byte(read(t, document+".json")), &want); err != nil {
					t.Fatal(err)
				}
				if got := body(t, writes[0]); !reflect.DeepEqual(got, want) {
					t.Errorf("sent\n%s\nwant\n%s", writes[0].Body, want)
				}
			}
			sends("POST", "create")
			sends("PUT", "update")
			w.Plan(acctest.PlanEmpty)
			w.Run(0, "destroy", "-auto-approve", "-input=false")
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

func read(t *testing.T, file string) string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
