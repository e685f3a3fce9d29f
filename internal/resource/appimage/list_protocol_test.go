package appimage_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

const typeName = "kuscia_app_image"

type attrs = protocol.Object

// defaultLimit is Terraform's default limit.
const defaultLimit = 100

// served is the resource of a provider that is configured for the Kuscia of a
// test.
func served(t *testing.T, e *acctest.Env) *protocol.Resource {
	t.Helper()
	server, err := e.ProtoV6ProviderFactories()["kuscia"]()
	if err != nil {
		t.Fatal(err)
	}
	return protocol.NewServer(t, server).Configure(t, nil).Resource(t, typeName)
}

// run lists with Terraform's default limit unless one is set.
func run(t *testing.T, r *protocol.Resource, q protocol.Query) (results []tfprotov6.ListResourceResult, diagnostics []*tfprotov6.Diagnostic) {
	t.Helper()
	q.Limit = cmp.Or(q.Limit, defaultLimit)
	return r.List(t.Context(), t, q)
}

// names returns the names that a query finds.
func names(t *testing.T, r *protocol.Resource, q protocol.Query) []string {
	t.Helper()
	results, diagnostics := run(t, r, q)
	protocol.Check(t, nil, diagnostics)
	names := make([]string, len(results))
	for i, result := range results {
		names[i] = result.DisplayName
	}
	return names
}

// TestList_pages lists more app images than fit on a page.
func TestList_pages(t *testing.T) {
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{})
	const n = 230
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("image-%03d", i)
		image := &kuscia.AppImage{
			Name:            all[i],
			Image:           kuscia.AppImageInfo{Name: "example/" + []string{"even", "odd"}[i%2], Tag: "1"},
			DeployTemplates: []kuscia.DeployTemplate{{Name: "app", Replicas: 1, Containers: []kuscia.Container{{Name: "app"}}}},
		}
		if err := e.API.CreateAppImage(t.Context(), image); err != nil {
			t.Fatal(err)
		}
	}
	r := served(t, e)
	for name, test := range map[string]struct {
		query    protocol.Query
		want     []string
		requests int
	}{
		"all":                           {protocol.Query{Limit: 1000}, all, 3},
		"the default limit":             {protocol.Query{}, all[:100], 1},
		"a limit beyond a page":         {protocol.Query{Limit: 101}, all[:101], 2},
		"by expression":                 {protocol.Query{Config: protocol.Object{"name_regex": "^image-[01]00$"}}, []string{all[0], all[100]}, 3},
		"by all of them":                {protocol.Query{Config: protocol.Object{"name_prefix": "image-1", "name_regex": "9$", "image_name": "example/even"}}, nil, 3},
		"a limit that counts the found": {protocol.Query{Limit: 2, Config: protocol.Object{"name_regex": "5$"}}, []string{all[5], all[15]}, 1},
	} {
		requests := e.CountRequests()
		if got := names(t, r, test.query); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
		if got := requests.Since(acctest.PathAppImageList); got != test.requests {
			t.Errorf("%s: %d requests, want %d", name, got, test.requests)
		}
		if err := requests.ExpectNone(acctest.PathAppImageQuery, acctest.PathAppImageBatch)(nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestList_errors: error messages, and their attributes.
func TestList_errors(t *testing.T) {
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{})
	for name, test := range map[string]struct {
		env    *acctest.Env
		config protocol.Object
		want   []string
	}{
		"expression": {e, protocol.Object{"name_regex": "("}, []string{"Invalid regular expression", `AttributeName("name_regex")`, "missing closing )"}},
		"before the list": {
			acctest.NewSandbox(t, sandbox.Options{Version: "v0.13.0b0"}), nil,
			[]string{"Unable to list app images", "needs Kuscia v1.0 or later", "this one is v0.13.0b0", "import blocks"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			results, diagnostics := run(t, served(t, test.env), protocol.Query{Config: test.config})
			text := protocol.Messages(diagnostics)
			if len(results) > 0 || len(diagnostics) != 1 || diagnostics[0].Severity != tfprotov6.DiagnosticSeverityError {
				t.Errorf("%d results and %q", len(results), text)
			}
			for _, want := range test.want {
				if !strings.Contains(text, want) {
					t.Errorf("%q does not contain %q", text, want)
				}
			}
		})
	}
}
