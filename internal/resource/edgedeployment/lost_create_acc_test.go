package edgedeployment_test

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	api "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// lostCreate is a create that has lost its response, and that could not be looked up.
type lostCreate struct {
	version api.Version // default v3
	// container has lines of HCL for the container.
	container string
	// created is set if the create had an effect, others are the images of deployments of
	// the same name that other clients have created.
	created bool
	others  []string
	// kept is set if a deployment is certainly that of the create.
	kept bool
}

// apply applies the configuration. It returns the id of the deployment that was created.
func (l lostCreate) apply(f *fabric) (w *acctest.Workspace, id string) {
	f.t.Helper()
	c := conf{container: l.container, top: `api_version = "` + string(l.scope().Version) + `"`}
	limited := c
	limited.top = lines(c.top, `timeouts = { create = "2s" }`)
	w = acctest.NewWorkspace(f.t, f.factories())
	w.Write("main.tf", acctest.ProviderBlock(map[string]any{"max_retries": 0})+limited.hcl())
	w.Init()
	f.Inject(sandbox.Fault{Method: "POST", AfterEffect: l.created})
	// The plan and the apply ask once whether IEF answers; the first lookup is before the create.
	f.Inject(sandbox.Fault{Method: "GET", Nth: 4, Times: -1, Status: 403, Body: `{"error_code":"APIGW.0302","error_msg":"no"}`})
	if output := acctest.Plain(w.Run(1, "apply", "-auto-approve", "-input=false")); !strings.Contains(output, "Unknown whether") {
		f.t.Fatal(output)
	}
	f.ClearFaults()
	if l.created {
		id = f.find(l.scope(), "lite").ID
	}
	for _, image := range l.others {
		if _, err := f.client().Create(context.Background(), l.scope(), &api.CreateRequest{
			Name: "lite", NodeIDs: []string{"node-1"}, Deployment: api.Spec{Replicas: 1, Template: api.Template{
				Configs: api.PodConfigs{RestartPolicy: "Always"}, Containers: []api.Container{{Name: "app", ImageURL: image}},
			}},
		}); err != nil {
			f.t.Fatal(err)
		}
	}
	w.Write("main.tf", c.hcl())
	return w, id
}

func (l lostCreate) scope() api.Scope { return api.Scope{Version: cmp.Or(l.version, api.V3)} }

// TestAccEdgeDeployment_lostCreate: after a create that has lost its response, a
// deployment is kept in the state, and deleted, only if it is certainly that of the
// create, with and without a refresh. IEF generates the ID, so that it is found by its
// name, which other deployments may have too. A write-only value cannot be compared.
func TestAccEdgeDeployment_lostCreate(t *testing.T) {
	acctest.SkipShort(t, acctest.RareCase)
	t.Parallel()
	const hidden = `envs = [{ name = "A", value_wo = "hidden", value_wo_version = 1 }]`
	for name, l := range map[string]lostCreate{
		"ours":                         {created: true, kept: true},
		"ours, in v2":                  {created: true, kept: true, version: api.V2},
		"ours, beside another one":     {created: true, kept: true, others: []string{"theirs"}},
		"another one":                  {others: []string{"theirs"}},
		"two as configured":            {created: true, others: []string{"kuscia:1"}},
		"write-only":                   {created: true, container: hidden},
		"write-only, with another one": {created: true, container: hidden, others: []string{"theirs"}},
	} {
		for what, arguments := range map[string][]string{
			"refresh": {"apply", "-refresh-only"}, "destroy": {"destroy", "-refresh=false"}, "replacement": {"apply", "-refresh=false"},
		} {
			t.Run(name+"/"+what, func(t *testing.T) {
				t.Parallel()
				if l.container != "" {
					acctest.RequireWriteOnly(t)
				}
				f := newFabric(t, sandbox.Options{})
				w, id := l.apply(f)
				since := len(f.Requests())
				text, code := w.Try(append(arguments, "-auto-approve", "-input=false", "-no-color")...)
				output := acctest.Plain(text)
				if taken := what == "replacement" && (!l.kept || len(l.others) > 0); (code != 0) != taken {
					t.Errorf("exit code %d: %s", code, output)
				}
				var wanted []string
				if l.kept && what != "refresh" {
					wanted = []string{id}
				}
				if deleted := f.deleted(since); !slices.Equal(deleted, wanted) {
					t.Errorf("deleted %v, want %v: %s", deleted, wanted, output)
				}
				if inState := strings.Contains(w.Read("terraform.tfstate"), `"id": "`+id+`"`); what == "refresh" && inState != l.kept {
					t.Errorf("%q is in the state: %t", id, inState)
				}
				if !l.kept {
					f.checkNotCreated(l.scope(), output, what)
				}
			})
		}
	}
}

// deleted are the ids of the deployments that were deleted since a number of requests.
func (f *fabric) deleted(since int) (ids []string) {
	for _, r := range f.writes(since) {
		if r.Method == "DELETE" {
			ids = append(ids, r.Path[strings.LastIndex(r.Path, "/")+1:])
		}
	}
	return ids
}

var importBlock = regexp.MustCompile(`to = kuscia_edge_deployment\.NAME id = "([0-9a-f-]+)"`)

// checkNotCreated checks the warning, and that its import block is of a deployment.
func (f *fabric) checkNotCreated(scope api.Scope, output, what string) {
	f.t.Helper()
	want := `Edge deployment was not deleted`
	if what == "refresh" {
		want = `Edge deployment was removed from the state`
	}
	block := importBlock.FindStringSubmatch(output)
	if !strings.Contains(output, want) || block == nil {
		f.t.Fatalf("it says %s", output)
	}
	all, err := f.client().List(context.Background(), scope, api.Filter{Name: "lite"}, 0)
	if err != nil || !slices.ContainsFunc(all, func(d api.Deployment) bool { return d.ID == block[1] }) {
		f.t.Errorf("%q is not one of %v, %v", block[1], all, err)
	}
}
