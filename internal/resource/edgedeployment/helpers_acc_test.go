package edgedeployment_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	api "github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/ief"
	sandbox "github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// fabric is the simulated IEF of one test, with the provider that uses it.
type fabric struct {
	*sandbox.Server
	t *testing.T
	// extra are further environment variables of the provider.
	extra map[string]string
}

func newFabric(t *testing.T, options sandbox.Options) *fabric {
	t.Helper()
	s, err := sandbox.Start(context.Background(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return &fabric{Server: s, t: t, extra: map[string]string{}}
}

func (f *fabric) environment() map[string]string {
	o := f.Options()
	env := map[string]string{
		"KUSCIA_IEF_ENDPOINT": f.Endpoint(), "KUSCIA_IEF_PROJECT_ID": o.ProjectID,
		"HW_ACCESS_KEY": o.AccessKey, "HW_SECRET_KEY": o.SecretKey, "HW_SECURITY_TOKEN": o.SecurityToken,
	}
	for name, value := range f.extra {
		env[name] = value
	}
	return env
}

func (f *fabric) factories() map[string]func() (tfprotov6.ProviderServer, error) {
	return acctest.Factories(f.environment())
}

func (f *fabric) client() *api.Client {
	f.t.Helper()
	o := f.Options()
	c, err := api.New(api.Config{Endpoint: f.Endpoint(), ProjectID: o.ProjectID, Token: o.Token})
	if err != nil {
		f.t.Fatal(err)
	}
	return c
}

// find is the deployment of a name.
func (f *fabric) find(scope api.Scope, name string) api.Deployment {
	f.t.Helper()
	all, err := f.client().List(context.Background(), scope, api.Filter{Name: name}, 0)
	if err != nil || len(all) != 1 {
		f.t.Fatalf("%d deployments called %q, %v", len(all), name, err)
	}
	return all[0]
}

// writes are the requests since a number of them that change something.
func (f *fabric) writes(since int) []sandbox.Request {
	return slices.DeleteFunc(slices.Clone(f.Requests()[since:]), func(r sandbox.Request) bool { return r.Method == "GET" })
}

const resourceType, listType = "kuscia_edge_deployment", "kuscia_edge_deployments"

type attributes = map[string]any

// body is a request's body as a value.
func body(t *testing.T, r sandbox.Request) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(r.Body), &value); err != nil {
		t.Fatalf("%s: %v", r.Body, err)
	}
	return value
}
