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
)

// client makes the calls of a CLI that lists app images and imports them, so
// that lists are tested whatever the CLI at hand can do.
type client struct {
	t      *testing.T
	server tfprotov6.ProviderServer
	list   tfprotov6.ListResourceServer
	schema *tfprotov6.GetProviderSchemaResponse
}

const typeName = "kuscia_app_image"

// newClient configures a provider for a test's Kuscia.
func newClient(t *testing.T, e *acctest.Env) *client {
	t.Helper()
	server, err := e.ProtoV6ProviderFactories()["kuscia"]()
	if err != nil {
		t.Fatal(err)
	}
	lister, ok := server.(tfprotov6.ListResourceServer)
	if !ok {
		t.Fatal("the served provider cannot list")
	}
	schema, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	c := &client{t: t, server: server, list: lister, schema: schema}
	c.fine(schema.Diagnostics)
	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		TerraformVersion: "1.14.0", Config: c.encode(schema.Provider.ValueType(), nil),
	})
	if err != nil {
		t.Fatal(err)
	}
	c.fine(configured.Diagnostics)
	return c
}

// encode makes an object of strings; what is not given is null.
func (c *client) encode(of tftypes.Type, texts map[string]string) *tfprotov6.DynamicValue {
	c.t.Helper()
	object, ok := of.(tftypes.Object)
	if !ok {
		c.t.Fatalf("%s is no object", of)
	}
	values := map[string]tftypes.Value{}
	for name, attribute := range object.AttributeTypes {
		values[name] = tftypes.NewValue(attribute, nil)
	}
	for name, text := range texts {
		values[name] = tftypes.NewValue(tftypes.String, text)
	}
	return c.dynamic(tftypes.NewValue(of, values))
}

func (c *client) dynamic(value tftypes.Value) *tfprotov6.DynamicValue {
	c.t.Helper()
	encoded, err := tfprotov6.NewDynamicValue(value.Type(), value)
	if err != nil {
		c.t.Fatal(err)
	}
	return &encoded
}

func (c *client) decode(value *tfprotov6.DynamicValue, of tftypes.Type) tftypes.Value {
	c.t.Helper()
	decoded, err := value.Unmarshal(of)
	if err != nil {
		c.t.Fatal(err)
	}
	return decoded
}

// fine ends the test when there is a message.
func (c *client) fine(diagnostics []*tfprotov6.Diagnostic) {
	c.t.Helper()
	if len(diagnostics) > 0 {
		c.t.Fatal(said(diagnostics))
	}
}

func said(diagnostics []*tfprotov6.Diagnostic) string {
	var all []string
	for _, d := range diagnostics {
		all = append(all, fmt.Sprintf("%s: %s (%s)\n%s", d.Severity, d.Summary, d.Attribute, d.Detail))
	}
	return strings.Join(all, "\n")
}

// query is a list block.
type query struct {
	config          map[string]string
	limit           int64 // 100, the default of Terraform, unless given
	includeResource bool
}

// run validates and lists, as the CLI does.
func (c *client) run(q query) (results []tfprotov6.ListResourceResult, diagnostics []*tfprotov6.Diagnostic) {
	c.t.Helper()
	of := c.schema.ListResourceSchemas[typeName].ValueType()
	config := c.encode(of, q.config)
	validated, err := c.list.ValidateListResourceConfig(c.t.Context(), &tfprotov6.ValidateListResourceConfigRequest{
		TypeName: typeName, Config: config,
		IncludeResourceObject: c.dynamic(tftypes.NewValue(tftypes.Bool, q.includeResource)),
		Limit:                 c.dynamic(tftypes.NewValue(tftypes.Number, q.limit)),
	})
	if err != nil {
		c.t.Fatal(err)
	}
	if len(validated.Diagnostics) > 0 {
		return nil, validated.Diagnostics
	}
	stream, err := c.list.ListResource(c.t.Context(), &tfprotov6.ListResourceRequest{
		TypeName: typeName, Config: config, Limit: cmp.Or(q.limit, 100), IncludeResource: q.includeResource,
	})
	if err != nil {
		c.t.Fatal(err)
	}
	for result := range stream.Results {
		if len(result.Diagnostics) > 0 {
			diagnostics = append(diagnostics, result.Diagnostics...)
			continue
		}
		results = append(results, result)
	}
	return results, diagnostics
}

// names are the names that a query finds, which are both what is shown and
// what identifies.
func (c *client) names(q query) []string {
	c.t.Helper()
	results, diagnostics := c.run(q)
	c.fine(diagnostics)
	identity := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"name": tftypes.String}}
	names := make([]string, len(results))
	for i, result := range results {
		names[i] = result.DisplayName
		want := c.decode(c.encode(identity, map[string]string{"name": result.DisplayName}), identity)
		if got := c.decode(result.Identity.IdentityData, identity); !got.Equal(want) {
			c.t.Errorf("identity %s of %s", got, result.DisplayName)
		}
		if (result.Resource == nil) == q.includeResource {
			c.t.Errorf("%s: resource %v, asked for: %t", result.DisplayName, result.Resource, q.includeResource)
		}
	}
	return names
}

// TestList_pages lists more app images than a page has.
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
	c := newClient(t, e)
	for name, test := range map[string]struct {
		query    query
		want     []string
		requests int
	}{
		"all":                           {query{limit: 1000}, all, 3},
		"all with their definition":     {query{limit: 1000, includeResource: true}, all, 3},
		"the default limit":             {query{}, all[:100], 1},
		"a limit within a page":         {query{limit: 7}, all[:7], 1},
		"a limit beyond a page":         {query{limit: 101}, all[:101], 2},
		"by prefix":                     {query{config: map[string]string{"name_prefix": "image-22"}}, all[220:], 3},
		"by expression":                 {query{config: map[string]string{"name_regex": "^image-[01]00$"}}, []string{all[0], all[100]}, 3},
		"by container image":            {query{limit: 1000, config: map[string]string{"image_name": "example/odd"}}, odd, 3},
		"by all of them":                {query{config: map[string]string{"name_prefix": "image-1", "name_regex": "9$", "image_name": "example/even"}}, nil, 3},
		"a limit that counts the found": {query{limit: 2, config: map[string]string{"name_regex": "5$"}}, []string{all[5], all[15]}, 1},
		"none":                          {query{config: map[string]string{"name_prefix": "other"}}, nil, 3},
	} {
		requests := e.CountRequests()
		if got := c.names(test.query); !slices.Equal(got, test.want) {
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

// TestList_import: what is listed is what an import reads, and the
// configuration that is generated from it is valid and plans no change.
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
		// What this provider would refuse in a new app image, and Kuscia has.
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
	c := newClient(t, e)
	results, diagnostics := c.run(query{config: map[string]string{"name_prefix": prefix + "-"}, includeResource: true})
	c.fine(diagnostics)
	if len(results) != len(images) {
		t.Fatalf("%d app images are listed, want %d", len(results), len(images))
	}
	of := c.schema.ResourceSchemas[typeName].ValueType()
	for _, result := range results {
		t.Run(strings.TrimPrefix(result.DisplayName, prefix+"-"), func(t *testing.T) {
			c := &client{t: t, server: c.server, list: c.list, schema: c.schema}
			imported := c.imported(result.Identity)
			state := c.decode(imported.NewState, of)
			if listed := c.decode(result.Resource, of); !listed.Equal(state) {
				diff, _ := listed.Diff(state)
				t.Errorf("listed and imported differ: %v", diff)
			}
			config := c.generated(result.Resource)
			planned, err := c.server.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
				TypeName: typeName, Config: config, PriorState: imported.NewState, ProposedNewState: imported.NewState,
				PriorPrivate: imported.Private, PriorIdentity: result.Identity,
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range planned.Diagnostics {
				if d.Severity == tfprotov6.DiagnosticSeverityError {
					t.Error(said(planned.Diagnostics))
				}
			}
			if got := c.decode(planned.PlannedState, of); !got.Equal(state) || len(planned.RequiresReplace) > 0 {
				diff, _ := got.Diff(state)
				t.Errorf("the generated configuration plans a change: %v", diff)
			}
		})
	}
}

// imported is the state after an import by identity.
func (c *client) imported(identity *tfprotov6.ResourceIdentityData) *tfprotov6.ReadResourceResponse {
	c.t.Helper()
	imported, err := c.server.ImportResourceState(c.t.Context(), &tfprotov6.ImportResourceStateRequest{TypeName: typeName, Identity: identity})
	if err != nil {
		c.t.Fatal(err)
	}
	c.fine(imported.Diagnostics)
	object := imported.ImportedResources[0]
	read, err := c.server.ReadResource(c.t.Context(), &tfprotov6.ReadResourceRequest{
		TypeName: typeName, CurrentState: object.State, Private: object.Private, CurrentIdentity: object.Identity,
	})
	if err != nil {
		c.t.Fatal(err)
	}
	c.fine(read.Diagnostics)
	return read
}

// generated is the configuration that is generated for a listed app image,
// which has to be valid.
func (c *client) generated(resource *tfprotov6.DynamicValue) *tfprotov6.DynamicValue {
	c.t.Helper()
	generated, err := c.server.GenerateResourceConfig(c.t.Context(), &tfprotov6.GenerateResourceConfigRequest{TypeName: typeName, State: resource})
	if err != nil {
		c.t.Fatal(err)
	}
	c.fine(generated.Diagnostics)
	validated, err := c.server.ValidateResourceConfig(c.t.Context(), &tfprotov6.ValidateResourceConfigRequest{TypeName: typeName, Config: generated.Config})
	if err != nil {
		c.t.Fatal(err)
	}
	c.fine(validated.Diagnostics)
	return generated.Config
}

// TestList_errors: what the user reads, and on which attribute.
func TestList_errors(t *testing.T) {
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{})
	for name, test := range map[string]struct {
		env    *acctest.Env
		config map[string]string
		want   []string
	}{
		"expression":   {e, map[string]string{"name_regex": "("}, []string{"Invalid regular expression", `AttributeName("name_regex")`, "missing closing )"}},
		"empty prefix": {e, map[string]string{"name_prefix": ""}, []string{`AttributeName("name_prefix")`, "at least 1"}},
		"before the list": {
			acctest.NewSandbox(t, sandbox.Options{Version: "v0.13.0b0"}), nil,
			[]string{"Unable to list app images", "exists since Kuscia v1.0", "this one is v0.13.0b0", "import blocks"},
		},
		"before app images": {
			acctest.NewSandbox(t, sandbox.Options{Version: "v0.12.0b0"}), nil,
			[]string{"Unable to list app images", "exists since Kuscia v1.0", "this one is v0.12.0b0"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			results, diagnostics := newClient(t, test.env).run(query{config: test.config})
			text := said(diagnostics)
			if len(results) > 0 || len(diagnostics) != 1 || diagnostics[0].Severity != tfprotov6.DiagnosticSeverityError {
				t.Errorf("%d results and %q", len(results), text)
			}
			for _, want := range test.want {
				if !strings.Contains(text, want) {
					t.Errorf("%q lacks %q", text, want)
				}
			}
		})
	}
}

// TestList_cancelled: a list that is interrupted is an error, not a short list.
func TestList_cancelled(t *testing.T) {
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{})
	c := newClient(t, e)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	stream, err := c.list.ListResource(ctx, &tfprotov6.ListResourceRequest{
		TypeName: typeName, Config: c.encode(c.schema.ListResourceSchemas[typeName].ValueType(), nil), Limit: 100,
	})
	if err != nil {
		t.Fatal(err)
	}
	var diagnostics []*tfprotov6.Diagnostic
	for result := range stream.Results {
		diagnostics = append(diagnostics, result.Diagnostics...)
	}
	if text := said(diagnostics); !strings.Contains(text, "Unable to list app images") {
		t.Errorf("a list that was cancelled says %q", text)
	}
}
