package examplestest_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// testProvider runs the provider block against a sandbox with mutual TLS; only
// the two values that name a place are put in.
func testProvider(t *testing.T, e example) {
	testBlock(t, e, acctest.NewSandbox(t, sandbox.Options{Protocol: sandbox.ProtocolMTLS}))
}

// testBlock lets a provider block alone say how a sandbox is reached. The block
// does nothing until something needs it.
func testBlock(t *testing.T, e example, env *acctest.Env) {
	t.Helper()
	p := newProject(t, nil, e)
	places := strings.NewReplacer(
		"http://kuscia.example:8082", env.Sandbox.Endpoint(),
		"https://kuscia.example:8082", env.Sandbox.Endpoint(),
		"/etc/kuscia/certs", env.Sandbox.CertsDir(),
	)
	for _, file := range e.configuration {
		write(t, filepath.Join(p.root, filepath.FromSlash(file)), places.Replace(string(e.read(t, file))))
	}
	write(t, filepath.Join(p.dir, "needs.tf"), "data \"kuscia_app_images\" \"all\" {}\n\noutput \"app_images\" {\n  value = length(data.kuscia_app_images.all.app_images)\n}\n")
	p.init(t)
	expectIn(t, p.run(t, 0, "apply", "-no-color", "-auto-approve"), "app_images = 0")
}

func testAppImage(t *testing.T, e example) {
	env := fixedNames(t)
	manage(t, env, e, "", "kuscia_app_image.serving", nil).importAll(t)
	if left := env.Sandbox.AppImageNames(); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func testServing(t *testing.T, e example) {
	env := fixedNames(t)
	manage(t, env, e, "", "kuscia_serving.glm", map[string]string{"kuscia_app_image.serving": "serving"}).importAll(t)
	if left := append(env.Sandbox.ServingIDs(), env.Sandbox.AppImageNames()...); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func testReading(t *testing.T, env *acctest.Env, step resource.TestStep) {
	t.Helper()
	run(t, env.ProtoV6ProviderFactories(), resource.TestCase{
		Steps: []resource.TestStep{step},
	})
}

// makeAppImage gives a data source something to read.
func makeAppImage(t *testing.T, env *acctest.Env, name string) {
	t.Helper()
	err := env.API.CreateAppImage(t.Context(), &kuscia.AppImage{
		Name:  name,
		Image: kuscia.AppImageInfo{Name: "secretflow/serving-anolis8", Tag: "0.8.0b0"},
		DeployTemplates: []kuscia.DeployTemplate{{
			Name:     "secretflow",
			Replicas: 1,
			Containers: []kuscia.Container{{
				Name:  "secretflow",
				Ports: []kuscia.ContainerPort{{Name: "service", Protocol: "HTTP", Scope: "Cluster"}},
			}},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// makeServing gives a data source a serving that runs, with an app image of
// the same name.
func makeServing(t *testing.T, env *acctest.Env, id string) {
	t.Helper()
	makeAppImage(t, env, id)
	one := int32(1)
	err := env.API.CreateServing(t.Context(), &kuscia.CreateServingRequest{
		ServingID: id,
		Initiator: "alice",
		Parties: []kuscia.ServingParty{
			{DomainID: "alice", AppImage: id, Replicas: &one},
			{DomainID: "bob", AppImage: id, Replicas: &one},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	waitAvailable(t, env, id)
}

// waitAvailable waits until a serving is Available, whatever its pods.
func waitAvailable(t *testing.T, env *acctest.Env, id string) {
	t.Helper()
	waitStatus(t, env, id, func(*kuscia.ServingStatusDetail) bool { return true })
}

// waitPods waits until a party has so many pods and the serving is Available. A
// status from before an update may say that it is, too.
func waitPods(t *testing.T, env *acctest.Env, id, domainID string, pods int32) {
	t.Helper()
	waitStatus(t, env, id, func(status *kuscia.ServingStatusDetail) bool {
		return slices.ContainsFunc(status.PartyStatuses, func(p kuscia.PartyStatus) bool {
			return p.DomainID == domainID && p.AvailableReplicas == pods && p.Replicas == pods
		})
	})
}

func waitStatus(t *testing.T, env *acctest.Env, id string, is func(*kuscia.ServingStatusDetail) bool) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for {
		statuses, err := env.API.BatchQueryServingStatus(t.Context(), []string{id})
		if err != nil {
			t.Fatal(err)
		}
		if len(statuses) == 1 && statuses[0].Status != nil && statuses[0].Status.State == kuscia.StateAvailable && is(statuses[0].Status) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("serving %s does not run: %+v", id, statuses)
		}
		time.Sleep(100 * time.Millisecond)
	}
}
