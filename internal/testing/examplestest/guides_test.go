package examplestest_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// testProtocol runs a provider block against a sandbox with its protocol.
func testProtocol(protocol string) func(t *testing.T, e example) {
	return func(t *testing.T, e example) {
		testBlock(t, e, acctest.NewSandbox(t, sandbox.Options{Protocol: protocol}))
	}
}

// testMigratingFromCurl sends the requests as curl does and then imports what
// they made: the first plan changes nothing. An autonomy node has all objects.
func testMigratingFromCurl(t *testing.T, e example) {
	env := nodeOfAlice(t)
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("the script needs curl: ", err)
	}
	newProject(t, at(env), e).program(t, 0, "sh", "create.sh")
	waitAvailable(t, env, "glm")

	w := workspace(t, env, e)
	w.Write("provider.tf", "provider \"kuscia\" {}\n")
	w.Write("terraform.tfvars", "warehouse_password = \"secret\"\nbucket_key = { id = \"id\", secret = \"secret\" }\n")
	w.Init()
	before := len(env.Sandbox.Requests())
	expectIn(t, w.Run(0, "apply", "-auto-approve"), "8 imported, 0 added, 0 changed, 0 destroyed.")
	w.Plan(acctest.PlanEmpty)
	for _, request := range env.Sandbox.Requests()[before:] {
		if strings.HasSuffix(request.Op, "/create") || strings.HasSuffix(request.Op, "/update") || strings.HasSuffix(request.Op, "/delete") {
			t.Errorf("the import sends %s %s", request.Op, request.Body)
		}
	}
	w.Run(0, "destroy", "-auto-approve")
	if left := append(env.Sandbox.ServingIDs(), env.Sandbox.AppImageNames()...); len(left)+len(env.Sandbox.DomainDataNames("alice")) > 0 {
		t.Errorf("left: %v", left)
	}
}

// testFleet counts the requests that the guide on large fleets promises.
func testFleet(t *testing.T, e example) {
	env := fixedNames(t)
	makeAppImage(t, env, "secretflow-serving")
	const servings = 25
	var variables strings.Builder
	variables.WriteString("servings = {\n")
	for i := range servings {
		fmt.Fprintf(&variables, "  s-%d = { model = \"m-%d\", parties = { alice = {}, bob = { replicas = 2 } } }\n", i, i)
	}
	variables.WriteString("}\n")

	p := newProject(t, at(env), e)
	write(t, filepath.Join(p.dir, "fleet.auto.tfvars"), variables.String())
	p.init(t)
	p.run(t, 0, "apply", "-no-color", "-auto-approve", "-parallelism=50")

	for _, plan := range []struct {
		args                        []string
		queries, appImages, batches int
	}{
		// The app image is asked for by its data source.
		{args: nil, queries: servings, appImages: 1, batches: 1},
		{args: []string{"-parallelism=50"}, queries: servings, appImages: 1, batches: 1},
		{args: []string{"-refresh=false"}, queries: 0, appImages: 1, batches: 1},
		{args: []string{"-target=kuscia_serving.all[\"s-1\"]"}, queries: 1, appImages: 1, batches: 0},
	} {
		requests := env.CountRequests()
		p.run(t, 0, append([]string{"plan", "-no-color", "-detailed-exitcode"}, plan.args...)...)
		if err := resource.ComposeAggregateTestCheckFunc(
			requests.Expect(acctest.PathServingQuery, plan.queries),
			requests.Expect(acctest.PathAppImageQuery, plan.appImages),
			requests.Expect(acctest.PathServingStatus, plan.batches),
			requests.ExpectNoWrites(),
		)(nil); err != nil {
			t.Errorf("plan %v: %v", plan.args, err)
		}
	}

	// A fleet of none is a fleet too.
	write(t, filepath.Join(p.dir, "fleet.auto.tfvars"), "servings = {}\n")
	p.run(t, 0, "apply", "-no-color", "-auto-approve", "-parallelism=50")
	p.run(t, 0, "plan", "-no-color", "-detailed-exitcode")
	if left := env.Sandbox.ServingIDs(); len(left) > 0 {
		t.Errorf("left of a fleet of none: %v", left)
	}
	p.run(t, 0, "destroy", "-no-color", "-auto-approve", "-parallelism=50")
}

// testSeveralKuscias runs one configuration against two Kuscias: each gets
// what is meant for it.
func testSeveralKuscias(t *testing.T, e example) {
	staging, production := mutualTLS(t, sandbox.Options{}), mutualTLS(t, sandbox.Options{})
	p := newInstalledProject(t, nil, e, named(t, "modules/serving"))
	p.variables(t, "kuscias", map[string]*acctest.Env{"staging": staging, "production": production})
	p.init(t)
	p.run(t, 0, "apply", "-no-color", "-auto-approve")
	for _, kuscia := range []struct {
		*acctest.Env
		image     string
		appImages []string
	}{
		{staging, newImage, []string{"glm-image", "tools"}},
		{production, oldImage, []string{"glm-image"}},
	} {
		expectDeployed(t, kuscia.Env, kuscia.image)
		if got := fmt.Sprint(kuscia.Sandbox.AppImageNames()); got != fmt.Sprint(kuscia.appImages) {
			t.Errorf("app images %s, want %v", got, kuscia.appImages)
		}
	}
	p.run(t, 0, "plan", "-no-color", "-detailed-exitcode")

	// Another provider is another object, and the first one is forgotten.
	p.replace(t, "resource \"kuscia_app_image\" \"tools\" {\n  provider = kuscia.staging", "resource \"kuscia_app_image\" \"tools\" {\n  provider = kuscia.production")
	p.run(t, 0, "apply", "-no-color", "-auto-approve")
	for _, env := range []*acctest.Env{staging, production} {
		if _, err := env.Sandbox.AppImage("tools"); err != nil {
			t.Error(err)
		}
	}
	if err := staging.Sandbox.RemoveAppImage("tools"); err != nil {
		t.Error(err)
	}

	p.run(t, 0, "destroy", "-no-color", "-auto-approve")
	for _, env := range []*acctest.Env{staging, production} {
		if left := append(env.Sandbox.ServingIDs(), env.Sandbox.AppImageNames()...); len(left) > 0 {
			t.Errorf("left after destroy: %v", left)
		}
	}
}

// testP2P runs against two autonomy nodes. The serving is managed on the
// initiator's, and refused on the other one.
func testP2P(t *testing.T, e example) {
	alice := mutualTLS(t, sandbox.Options{Autonomy: "alice"})
	bob := mutualTLS(t, sandbox.Options{Autonomy: "bob"})
	p := newInstalledProject(t, nil, e)
	p.variables(t, "nodes", map[string]*acctest.Env{"alice": alice, "bob": bob})
	p.init(t)
	p.run(t, 0, "apply", "-no-color", "-auto-approve")
	expectDeployed(t, alice, oldImage)
	if got := fmt.Sprint(bob.Sandbox.AppImageNames(), bob.Sandbox.ServingIDs()); got != "[secretflow-serving] []" {
		t.Errorf("on the node of bob: %s", got)
	}
	p.run(t, 0, "plan", "-no-color", "-detailed-exitcode")
	p.run(t, 0, "destroy", "-no-color", "-auto-approve")

	p.replace(t, "resource \"kuscia_serving\" \"glm\" {\n  provider = kuscia.alice",
		"resource \"kuscia_serving\" \"glm\" {\n  provider = kuscia.bob")
	expectIn(t, p.run(t, 1, "apply", "-no-color", "-auto-approve"), "Error: Unable to create serving",
		"serving/create \"glm\": code 11100: initiator must be bob in P2P",
		"An autonomy node (P2P) creates only servings that it initiates itself. Set initiator to the domain of the node, or use the endpoint of the initiator.")
	p.run(t, 0, "destroy", "-no-color", "-auto-approve")
}

// mutualTLS is a sandbox as most Kuscias run, with certificates of its own.
func mutualTLS(t *testing.T, options sandbox.Options) *acctest.Env {
	t.Helper()
	options.Protocol = sandbox.ProtocolMTLS
	return acctest.NewSandbox(t, options)
}

func expectDeployed(t *testing.T, env *acctest.Env, want string) {
	t.Helper()
	for _, domain := range []string{"alice", "bob"} {
		if image, err := env.Sandbox.DeployedImage("glm", domain, ""); err != nil || image != want {
			t.Errorf("%s runs %s, want %s (%v)", domain, image, want, err)
		}
	}
}
