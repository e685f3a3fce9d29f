package appimage_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

const typeName = "kuscia_app_image"

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
	odd := slices.Collect(func(yield func(string) bool) {
		for i := 1; i < n && yield(all[i]); i += 2 {
		}
	})
	r := served(t, e)
	for name, test := range map[string]struct {
		query    protocol.Query
		want     []string
		requests int
	}{
		"all":                           {protocol.Query{Limit: 1000}, all, 3},
		"all with their definition":     {protocol.Query{Limit: 1000, IncludeResource: true}, all, 3},
		"the default limit":             {protocol.Query{}, all[:100], 1},
		"a limit within a page":         {protocol.Query{Limit: 7}, all[:7], 1},
		"a limit beyond a page":         {protocol.Query{Limit: 101}, all[:101], 2},
		"by prefix":                     {protocol.Query{Config: protocol.Object{"name_prefix": "image-22"}}, all[220:], 3},
		"by expression":                 {protocol.Query{Config: protocol.Object{"name_regex": "^image-[01]00$"}}, []string{all[0], all[100]}, 3},
		"by container image":            {protocol.Query{Limit: 1000, Config: protocol.Object{"image_name": "example/odd"}}, odd, 3},
		"by all of them":                {protocol.Query{Config: protocol.Object{"name_prefix": "image-1", "name_regex": "9$", "image_name": "example/even"}}, nil, 3},
		"a limit that counts the found": {protocol.Query{Limit: 2, Config: protocol.Object{"name_regex": "5$"}}, []string{all[5], all[15]}, 1},
		"none":                          {protocol.Query{Config: protocol.Object{"name_prefix": "other"}}, nil, 3},
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

// TestList_import: list results are the same as after an import, and the
// generated configuration is valid and its plan is empty.
func TestList_import(t *testing.T) {
	t.Parallel()
	e := acctest.New(t)
	prefix := e.Name("list")
	seconds := kuscia.Int64(7)
	images := map[string]func(*kuscia.AppImage){
		"plain": func(*kuscia.AppImage) {},
		"full": func(i *kuscia.AppImage) {
			i.Image.ID, i.Image.Sign = "sha256:1", "signed"
			template := &i.DeployTemplates[0]
			template.Role, template.RestartPolicy, template.Replicas = "client,server", "Always", 3
			container := &template.Containers[0]
			container.Args = []string{"-c", "${HOME} \"quoted\""}
			container.Env = []kuscia.EnvVar{{Name: "A", Value: ""}, {Name: "B", Value: "%{b}"}}
			container.EnvFrom = []kuscia.EnvFromSource{{Prefix: "P_", ConfigMapRef: &kuscia.ObjectSource{Name: "settings"}}, {SecretRef: &kuscia.ObjectSource{Name: "keys"}}}
			container.Resources = &kuscia.ResourceRequirements{Limits: &kuscia.ResourceSpec{CPU: "0.5", Memory: "1024Mi"}}
			container.LivenessProbe = &kuscia.Probe{HTTPGet: &kuscia.HTTPGetAction{Path: "/", Port: "service"}, PeriodSeconds: 5, TerminationGracePeriodSeconds: seconds}
			container.ReadinessProbe = &kuscia.Probe{Exec: &kuscia.ExecAction{Command: []string{"true"}}}
			container.StartupProbe = &kuscia.Probe{GRPC: &kuscia.GRPCAction{Port: 9000}}
			container.ImagePullPolicy = "IfNotPresent"
		},
		// Problems that this provider rejects in a new app image, and that
		// exist in Kuscia.
		"made-by-hand": func(i *kuscia.AppImage) { i.DeployTemplates[0].Replicas = 0 },
		"empty": func(i *kuscia.AppImage) {
			i.ConfigTemplates, i.DeployTemplates[0].Containers[0] = nil, kuscia.Container{Name: "app"}
		},
	}
	for name, change := range images {
		e.AppImage(func(i *kuscia.AppImage) {
			change(i)
			i.Name = prefix + "-" + name
		})
	}
	r := served(t, e)
	results, diagnostics := run(t, r, protocol.Query{Config: protocol.Object{"name_prefix": prefix + "-"}, IncludeResource: true})
	protocol.Check(t, nil, diagnostics)
	if len(results) != len(images) {
		t.Fatalf("listed %d app images, want %d", len(results), len(images))
	}
	for _, result := range results {
		t.Run(strings.TrimPrefix(result.DisplayName, prefix+"-"), func(t *testing.T) {
			state, said := r.ImportIdentity(t, result.Identity)
			if strings.Contains(said, "ERROR") {
				t.Fatal(said)
			}
			if listed := protocol.Decode(r.Kind, result.Resource); !listed.Equal(state.Value) {
				diff, _ := listed.Diff(state.Value)
				t.Errorf("listed and imported differ: %v", diff)
			}
			state.Identity = result.Identity
			plan, planned := r.Plan(t, generated(t, r, result.Resource), state)
			if protocol.Failed(plan.Diagnostics) {
				t.Error(protocol.Messages(plan.Diagnostics))
			}
			if !planned.Equal(state.Value) || len(plan.RequiresReplace) > 0 {
				diff, _ := planned.Diff(state.Value)
				t.Errorf("the plan of the generated configuration is not empty: %v", diff)
			}
		})
	}
}

// generated returns the configuration generated for a listed app image, which
// must be valid.
func generated(t *testing.T, r *protocol.Resource, resource *tfprotov6.DynamicValue) tftypes.Value {
	t.Helper()
	generated, err := r.GenerateResourceConfig(t.Context(), &tfprotov6.GenerateResourceConfigRequest{TypeName: typeName, State: resource})
	if err != nil {
		t.Fatal(err)
	}
	protocol.Check(t, nil, generated.Diagnostics)
	config := protocol.Decode(r.Kind, generated.Config)
	protocol.Check(t, nil, r.Validate(t, config).Diagnostics)
	return config
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
		"before app images": {
			acctest.NewSandbox(t, sandbox.Options{Version: "v0.12.0b0"}), nil,
			[]string{"Unable to list app images", "needs Kuscia v1.0 or later", "this one is v0.12.0b0"},
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

// TestList_cancelled: a cancelled list is an error, not a partial result.
func TestList_cancelled(t *testing.T) {
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{})
	r := served(t, e)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, diagnostics := r.List(ctx, t, protocol.Query{Limit: defaultLimit})
	if text := protocol.Messages(diagnostics); !strings.Contains(text, "Unable to list app images") {
		t.Errorf("cancelled list: got diagnostics %q", text)
	}
}
