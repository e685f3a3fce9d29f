package serving_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// withAlice is a serving of alice and another domain; all are expressions.
func withAlice(id, domain, image string) servingHCL {
	return servingHCL{label: "s", id: id, initiator: `"alice"`, partiesExpr: fmt.Sprintf(`{ alice = { app_image = %[2]s }, other = { domain_id = %[1]s, app_image = %[2]s } }`, domain, image)}
}

// twoPartiesConfig has a variable for the endpoint, with further arguments.
func twoPartiesConfig(variable map[string]any) string {
	return acctest.Variable("endpoint", variable) + acctest.ProviderBlock(map[string]any{"endpoint": acctest.Reference("var.endpoint")}) + withAlice(`"glm"`, `"bob"`, `"sf"`).String()
}

// seenFrom is a lite node: its master's responses to it, and no app images.
func seenFrom(t *testing.T, master *sandbox.Sandbox, domain string) string {
	t.Helper()
	internal := master.InternalHandler()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/appimage/") {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			_, _ = fmt.Fprintf(w, `{"status":{"code":%d,"message":"kuscia lite api not support this interface now","details":[]}}`, kuscia.CodeLiteUnsupported)
			return
		}
		r.Header.Set("Kuscia-Source", domain)
		internal.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// otherNodes are nodes other than that of a serving, and what a refresh there says.
var otherNodes = map[string]struct {
	home  sandbox.Options
	other func(*testing.T, *sandbox.Sandbox) string
	says  []string
}{
	"lite node of no party": {
		sandbox.Options{Domains: []string{"alice", "bob", "carol"}},
		func(t *testing.T, home *sandbox.Sandbox) string { return seenFrom(t, home, "carol") },
		[]string{"Serving is hidden from this node", "state of the serving is unchanged", "is not a party of the serving"},
	},
	"autonomy node of another domain": {
		sandbox.Options{Autonomy: "alice"},
		func(t *testing.T, _ *sandbox.Sandbox) string {
			return acctest.NewSandbox(t, sandbox.Options{Autonomy: "carol"}).Sandbox.Endpoint()
		},
		[]string{"Unknown whether serving exists", `the domain of its initiator, "alice", is a partner of this node`, "terraform state rm"},
	},
	"another Kuscia": {
		sandbox.Options{},
		func(t *testing.T, _ *sandbox.Sandbox) string {
			return acctest.NewSandbox(t, sandbox.Options{Domains: []string{"carol"}}).Sandbox.Endpoint()
		},
		[]string{"Unknown whether serving exists", `it does not have the domain of the initiator, "alice"`, "The state is unchanged"},
	},
}

// TestAccServing_otherNode: a serving stays in the state whichever node is
// queried, and a deleted one is removed if the node would know it.
func TestAccServing_otherNode(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestOtherNode"))
	requireAcc(t)
	t.Parallel()
	for name, test := range otherNodes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := acctest.NewSandbox(t, test.home)
			w := e.NewWorkspace(t)
			w.Write("main.tf", twoPartiesConfig(nil))
			home, other := "-var=endpoint="+e.Sandbox.Endpoint(), "-var=endpoint="+test.other(t, e.Sandbox)
			if err := e.Sandbox.PutAppImage(plainImage()); err != nil {
				t.Fatal(err)
			}
			w.Init()
			w.Run(0, "apply", "-auto-approve", "-input=false", home)
			for _, command := range [][]string{{"plan"}, {"apply", "-auto-approve"}, {"apply", "-refresh-only", "-auto-approve"}, {"destroy", "-auto-approve"}, {"destroy", "-auto-approve", "-refresh=false"}} {
				said := acctest.Plain(w.Run(1, append(command, "-input=false", other)...))
				for _, part := range test.says {
					if command[len(command)-1] != "-refresh=false" && !strings.Contains(said, part) {
						t.Errorf("%v does not say %q:\n%s", command, part, said)
					}
				}
			}
			if plan := w.Run(0, "plan", "-detailed-exitcode", "-input=false", home); !strings.Contains(plan, "No changes") {
				t.Errorf("at home again: %s", plan)
			}
			if err := e.Sandbox.RemoveServing("glm"); err != nil {
				t.Fatal(err)
			}
			if plan := w.Run(acctest.PlanDiffers, "plan", "-detailed-exitcode", "-input=false", home); !strings.Contains(plan, "1 to add") {
				t.Errorf("after its deletion: %s", plan)
			}
			w.Run(0, "destroy", "-auto-approve", "-input=false", home)
		})
	}
}

// TestAccServing_deletedAsSeenByAParty: the node of a party detects through its
// master that a serving is deleted.
func TestAccServing_deletedAsSeenByAParty(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestOtherNode"))
	requireAcc(t)
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{})
	w := e.NewWorkspace(t)
	w.Write("main.tf", twoPartiesConfig(nil))
	if err := e.Sandbox.PutAppImage(plainImage()); err != nil {
		t.Fatal(err)
	}
	endpoint := "-var=endpoint=" + seenFrom(t, e.Sandbox, "alice")
	w.Init()
	w.Run(0, "apply", "-auto-approve", "-input=false", endpoint)
	if err := e.Sandbox.RemoveServing("glm"); err != nil {
		t.Fatal(err)
	}
	if plan := w.Run(acctest.PlanDiffers, "plan", "-detailed-exitcode", "-input=false", endpoint); !strings.Contains(plan, "1 to add") {
		t.Errorf("after its deletion: %s", plan)
	}
}

// plainImage is the app image "sf" with one container and a port that is
// reachable from other parties.
func plainImage() kuscia.AppImage {
	return kuscia.AppImage{
		Name: "sf", Image: kuscia.AppImageInfo{Name: "example.com/app", Tag: "1"},
		DeployTemplates: []kuscia.DeployTemplate{{Name: "t", Replicas: 1, Containers: []kuscia.Container{{
			Name: "main", Ports: []kuscia.ContainerPort{{Name: "service", Protocol: "HTTP", Scope: "Cluster"}},
		}}}},
	}
}

// TestAccServing_unknownDomain: a serving with a party in a domain that does not
// exist is rejected in the plan, with one query for each domain and run, and
// without a query if nothing changes.
func TestAccServing_unknownDomain(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestReferences", "TestReferencesShareRequests"))
	requireAcc(t)
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{})
	w := e.NewWorkspace(t)
	if err := e.Sandbox.PutAppImage(plainImage()); err != nil {
		t.Fatal(err)
	}
	config := func(domain string) string {
		return withAlice(`"s-${count.index}"`, quote(domain), `"sf"`).with(func(s *servingHCL) { s.count = "20" }).String()
	}
	asked := func(f func()) int {
		before := e.Sandbox.Count(acctest.PathDomainBatch)
		f()
		return e.Sandbox.Count(acctest.PathDomainBatch) - before
	}
	w.Write("main.tf", config("nowhere"))
	w.Init()
	if n := asked(func() {
		said := acctest.Plain(w.Run(1, "plan", "-input=false"))
		for _, part := range []string{"Domain does not exist", `Kuscia has no domain "nowhere"`, `parties["other"].domain_id`} {
			if !strings.Contains(said, part) {
				t.Errorf("the plan does not say %q:\n%s", part, said)
			}
		}
	}); n != 3 { // one of them finds out whether Kuscia answers
		t.Errorf("a plan of 20 servings asks for 2 domains %d times", n)
	}
	w.Write("main.tf", config("bob"))
	if n := asked(func() { w.Plan(acctest.PlanDiffers) }); n != 3 {
		t.Errorf("a plan of 20 servings asks for 2 domains %d times", n)
	}
	w.Apply()
	if n := asked(func() { w.Plan(acctest.PlanEmpty) }); n != 0 {
		t.Errorf("a plan with nothing to do asks for domains %d times", n)
	}
}

// TestAccServing_unknownDomainAtApply: if the domain is known only at apply, the
// apply reports it before anything is created.
func TestAccServing_unknownDomainAtApply(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestReferences"))
	e := newEnv(t)
	id, image := e.Name("late"), e.AppImage()
	w := e.Initialized(t, acctest.Block("terraform_data", "domain", map[string]any{"input": "nowhere"})+withAlice(quote(id), "terraform_data.domain.output", quote(image)).String())
	said := acctest.Plain(w.Run(1, "apply", "-auto-approve", "-input=false"))
	if !strings.Contains(said, `no domain "nowhere"`) {
		t.Errorf("the apply says\n%s", said)
	}
	e.Do(func(ctx context.Context, api *kuscia.Client) error {
		statuses, err := api.BatchQueryServingStatus(ctx, []string{id})
		if err == nil && len(statuses) > 0 {
			t.Error("the serving was created")
		}
		return err
	})()
}

// TestAccServing_unknownDomainNotTold: a node that refuses queries of domains is
// skipped.
func TestAccServing_unknownDomainNotTold(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestNodeThatRefusesQueries"))
	requireAcc(t)
	t.Parallel()
	for name, fault := range map[string]sandbox.Fault{
		"may not":   {Kind: sandbox.FaultCode, Code: kuscia.CodeAuthFailed, Message: "domain's kusciaAPI could only operate its own Domain"},
		"lite":      {Kind: sandbox.FaultCode, Code: kuscia.CodeLiteUnsupported, Message: "lite api not support"},
		"no such":   {Kind: sandbox.FaultStatus, Status: http.StatusNotFound},
		"forbidden": {Kind: sandbox.FaultStatus, Status: http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := acctest.NewSandbox(t, sandbox.Options{})
			if err := e.Sandbox.PutAppImage(plainImage()); err != nil {
				t.Fatal(err)
			}
			fault.Path, fault.Times = "domain/batchQuery", sandbox.Always
			e.Sandbox.Inject(fault)
			w := e.Initialized(t, twoPartiesConfig(map[string]any{"default": acctest.Reference("null")}))
			w.Apply()
			w.Plan(acctest.PlanEmpty)
		})
	}
}

// TestAccServing_unknownAppImage: an app image that is given as a literal is
// looked up in the plan, also when a live serving changes to it.
func TestAccServing_unknownAppImage(t *testing.T) {
	acctest.SkipShort(t, acctest.ShownBy("TestReferences"))
	e := newEnv(t)
	w := e.NewWorkspace(t)
	image := e.AppImage()
	base := alone(e, "typo", image)
	config := func(image string) string {
		return base.with(func(s *servingHCL) { s.parties[0].image = quote(image) }).String()
	}
	refused := func(arguments ...string) {
		t.Helper()
		said := acctest.Plain(w.Run(1, append(arguments, "-input=false")...))
		for _, part := range []string{"App image does not exist", fmt.Sprintf("Kuscia has no app image %q", image+"x"), `parties["alice"].app_image`, "refer to it"} {
			if !strings.Contains(said, part) {
				t.Errorf("%v does not say %q:\n%s", arguments, part, said)
			}
		}
	}
	w.Write("main.tf", config(image+"x"))
	w.Init()
	w.DestroyAtEnd()
	refused("plan")
	w.Write("main.tf", config(image))
	w.Apply()
	w.Write("main.tf", config(image+"x"))
	refused("plan")

	// In the same run, with an order that Terraform keeps.
	created := acctest.Block("kuscia_app_image", "x", map[string]any{
		"name": image + "x", "image": map[string]any{"name": "example.com/app", "tag": "1"},
		"deploy_templates": acctest.Reference(`[{ name = "t", containers = [{ name = "main", ports = [{ name = "service", scope = "Cluster" }] }] }]`),
	})
	w.Write("main.tf", created+strings.Replace(config(image+"x"), "serving_id", "depends_on = [kuscia_app_image.x]\n  serving_id", 1))
	w.Plan(acctest.PlanDiffers)
}
