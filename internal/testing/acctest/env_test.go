package acctest_test

import (
	"context"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

func serving(id, image string) *kuscia.CreateServingRequest {
	return &kuscia.CreateServingRequest{
		ServingID: id, Initiator: "alice",
		Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: image}, {DomainID: "bob", AppImage: image}},
	}
}

// TestNewUsesTheEnvironment simulates a real Kuscia with a sandbox in
// KUSCIA_ENDPOINT: the helpers then have no sandbox.
func TestNewUsesTheEnvironment(t *testing.T) {
	far := acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolMTLS}).Sandbox
	t.Setenv("KUSCIA_ENDPOINT", far.Endpoint())
	t.Setenv("KUSCIA_CERTS_DIR", far.CertsDir())

	env := acctest.New(t)
	if env.Sandbox != nil {
		t.Error("a sandbox was started in addition to the Kuscia of the environment")
	}
	if err := env.API.Health(t.Context()); err != nil {
		t.Error(err)
	}
	if got := env.ProviderConfig(); strings.Contains(got, "endpoint") {
		t.Errorf("the endpoint is not that of the environment: %s", got)
	}
	if far.Count("/healthZ") != 1 {
		t.Error("the client uses another server")
	}
	t.Run("only in the sandbox", func(t *testing.T) {
		env.RequireSandbox(t, "shown by this very skip")
		t.Error("not skipped")
	})
}

// TestDestroyChecks: the checks find remaining objects.
func TestDestroyChecks(t *testing.T) {
	env := acctest.NewSandbox(t, sandbox.Options{})
	image, id := env.AppImage(), env.Name("serving")
	env.Do(func(ctx context.Context, api *kuscia.Client) error {
		return api.CreateServing(ctx, serving(id, image))
	})()

	if err := env.CheckServingDestroyed("other", id)(nil); err == nil || !strings.Contains(err.Error(), id) {
		t.Errorf("serving exists: %v", err)
	}
	if err := env.CheckAppImageDestroyed("other", image)(nil); err == nil || !strings.Contains(err.Error(), image) {
		t.Errorf("app image exists: %v", err)
	}

	// Without its app image the serving cannot be queried, but still exists.
	env.Do(func(ctx context.Context, api *kuscia.Client) error { return api.DeleteAppImage(ctx, image) })()
	if err := env.CheckServingDestroyed(id)(nil); err == nil {
		t.Error("a serving without its app image is reported as deleted")
	}
	env.Do(func(ctx context.Context, api *kuscia.Client) error { return api.DeleteServing(ctx, id) })()
	if err := env.CheckServingDestroyed(id)(nil); err != nil {
		t.Error(err)
	}
	if err := env.CheckAppImageDestroyed(image)(nil); err != nil {
		t.Error(err)
	}

	env.Sandbox.Inject(sandbox.Fault{Kind: sandbox.FaultStatus, Status: 401, Times: sandbox.Always})
	if err := env.CheckServingDestroyed(id)(nil); err == nil {
		t.Error("after a failed query the object is reported as deleted")
	}
	if err := env.CheckAppImageDestroyed(image)(nil); err == nil {
		t.Error("after a failed query the object is reported as deleted")
	}
	env.Sandbox.ClearFaults()
}

func TestRequests(t *testing.T) {
	env := acctest.NewSandbox(t, sandbox.Options{})
	image := env.AppImage()
	requests := env.CountRequests()
	if err := requests.ExpectNoRequests()(nil); err != nil {
		t.Error(err)
	}

	query := func(ctx context.Context, api *kuscia.Client) error {
		_, err := api.QueryAppImage(ctx, image)
		return err
	}
	env.Do(query)()
	if err := requests.ExpectNoRequests()(nil); err == nil {
		t.Error("a query was not counted")
	}
	if err := requests.ExpectNoWrites()(nil); err != nil {
		t.Error(err)
	}
	if err := requests.Expect(acctest.PathAppImageQuery, 1)(nil); err != nil {
		t.Error(err)
	}
	if err := requests.Expect(acctest.PathAppImageQuery, 2)(nil); err == nil {
		t.Error("one query was counted as two")
	}

	env.AppImage()
	if err := requests.ExpectNoWrites()(nil); err == nil {
		t.Error("a create was not counted")
	}
	requests.Start()
	if err := requests.ExpectNoRequests()(nil); err != nil {
		t.Error(err)
	}
}
