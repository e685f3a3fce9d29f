package edgedeployment_test

import (
	"reflect"
	"slices"
	"testing"

	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief/ieftest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
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
			server := ieftest.Start(t, sandbox.Options{})
			w := acctest.NewWorkspace(t, acctest.Factories(server.Environment()))
			sends := func(method, file string) {
				document := "testdata/documents/" + file + "-" + test.version
				w.Write("main.tf", testfile.Read(t, document+".tf"))
				if method == "POST" {
					w.Init()
				}
				w.Apply()
				writes := writesOf(server)
				last := writes[len(writes)-1]
				if len(writes) != map[string]int{"POST": 1, "PUT": 2}[method] || last.Method != method {
					t.Fatalf("the requests that change something are %v", writes)
				}
				if want := testfile.JSON[any](t, document+".json"); !reflect.DeepEqual(testjson.Decode[any](t, last.Body), want) {
					t.Errorf("sent\n%s\nwant\n%s", last.Body, want)
				}
			}
			sends("POST", "create")
			sends("PUT", "update")
			w.Plan(acctest.PlanEmpty)
			w.Run(0, "destroy", "-auto-approve", "-input=false")
			if last := writesOf(server)[2]; last.Method != "DELETE" || last.Query.Encode() != test.query {
				t.Errorf("deleted by %s with the query %q, want %q", last.Method, last.Query.Encode(), test.query)
			}
		})
	}
}

// writesOf are the requests that change something.
func writesOf(server *sandbox.Server) []sandbox.Request {
	return slices.DeleteFunc(server.Requests(), func(r sandbox.Request) bool { return r.Method == "GET" })
}
