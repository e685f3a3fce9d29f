package faulttest_test

import (
	"context"
	"maps"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/ief"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// typeBed has everything that the types of the provider need: a master and the node of
// alice, a cluster that runs the servings of the master, and IEF.
type typeBed struct {
	kube  *acctest.Kube
	nodes map[string]*acctest.Env
	edge  map[string]string
	image string
}

func newTypeBed(t *testing.T) *typeBed {
	t.Helper()
	b := &typeBed{kube: acctest.NewKubeServer(t)}
	b.nodes = map[string]*acctest.Env{
		"":      acctest.NewSandbox(t, sandbox.Options{Timing: sandbox.QuickTiming(), StaleConfig: -1}),
		"alice": acctest.NewSandbox(t, sandbox.Options{Timing: sandbox.QuickTiming(), StaleConfig: -1, Autonomy: "alice"}),
	}
	b.kube.RunServings(b.nodes[""])
	b.image = b.nodes[""].AppImage()
	edge, err := ief.Start(t.Context(), ief.Options{Timing: ief.QuickTiming()})
	must(err)
	t.Cleanup(func() { _ = edge.Close() })
	o := edge.Options()
	b.edge = map[string]string{
		"KUSCIA_IEF_ENDPOINT": edge.Endpoint(), "KUSCIA_IEF_PROJECT_ID": o.ProjectID,
		"HW_ACCESS_KEY": o.AccessKey, "HW_SECRET_KEY": o.SecretKey, "HW_SECURITY_TOKEN": o.SecurityToken,
	}
	return b
}

// server is a new run of the provider with all servers.
func (b *typeBed) server(node string) *protocol.Server {
	variables := b.kube.Variables()
	variables["KUSCIA_ADOPT_EXISTING"] = "true" // what one type needs, another one makes too
	maps.Copy(variables, b.edge)
	return b.nodes[node].Server(variables)
}

// nowhere is a provider whose servers do not exist: a request is an error.
func (b *typeBed) nowhere() *protocol.Server {
	return b.nodes[""].Server(map[string]string{
		"KUSCIA_ENDPOINT": "https://127.0.0.1:1", acctest.EnvKubeConfigPath: "/no/kubeconfig", "KUSCIA_IEF_ENDPOINT": "https://127.0.0.1:1",
		"KUSCIA_IEF_PROJECT_ID": "none", "KUSCIA_IEF_TOKEN": "none",
	})
}

// apply creates an object; warnings are allowed.
func (b *typeBed) apply(t *testing.T, r *protocol.Resource, config attrs) protocol.State {
	t.Helper()
	state, said := r.Apply(t, protocol.Value(r.Kind, config), r.None())
	if strings.Contains(said, "ERROR") {
		t.Fatalf("%s: %s", r.Type, said)
	}
	return state
}

// release creates a KusciaDeployment with a Rollout, and starts a release that is paused
// at the first of its steps.
func (b *typeBed) release(t *testing.T, name string) (namespacedName attrs) {
	t.Helper()
	s, k := b.server(""), b.kube.For(t)
	for _, version := range []string{"-1", "-2"} {
		k.AppImage(name+version, "example/app", "v"+version, 4)
	}
	deployment, rollout := s.Resource(t, "kuscia_deployment"), s.Resource(t, "kuscia_rollout")
	b.apply(t, deployment, attrs{"name": name, "initiator": "alice", "parties": attrs{"alice": attrs{"app_image": name + "-1"}}})
	b.apply(t, rollout, attrs{
		"namespace": "alice", "name": name, "workload_ref": attrs{"name": name},
		"canary": attrs{"steps": []any{attrs{"replicas": "25%"}, attrs{"replicas": "50%"}, attrs{"replicas": "100%"}}},
	})
	k.Patch(acctest.KubeKusciaDeployments, acctest.KubeNamespace, name, types.JSONPatchType,
		`[{"op":"replace","path":"/spec/parties/0/appImageRef","value":"`+name+`-2"}]`)
	k.Eventually(acctest.KubeRollouts, "alice", name, "paused", func(o *unstructured.Unstructured) bool {
		state, _, _ := unstructured.NestedString(o.Object, "status", "canaryStatus", "currentStepState")
		return state == "StepPaused"
	})
	return attrs{"namespace": "alice", "name": name}
}

// typeCase is how the tests of all types make objects of a resource type.
type typeCase struct {
	// node is the domain of the node that has the objects; "" is the master.
	node string
	// prepare makes what the objects need; may be nil.
	prepare func(t *testing.T, b *typeBed)
	// config is the configuration of an object with a name of objectNames.
	config func(t *testing.T, b *typeBed, name string) attrs
	// emptyFilter is a filter of its list that may be empty.
	emptyFilter string
	// noIdentity is the reason why the type has no resource identity.
	noIdentity string
}

// typeCases are the cases of all resource types.
func typeCases() map[string]typeCase {
	cases := map[string]typeCase{
		"kuscia_app_image": {config: func(_ *testing.T, _ *typeBed, name string) attrs { return imageSpec{name: name, tag: "1"}.config() }},
		"kuscia_serving": {config: func(_ *testing.T, b *typeBed, name string) attrs {
			parties := []partySpec{{domain: "alice", image: b.image, replicas: 1}}
			return configuration{timeout: "1m"}.servingConfig(servingSpec{id: name, parties: parties}, nil)
		}},
		"kuscia_edge_deployment": {emptyFilter: "instance_id", config: func(_ *testing.T, _ *typeBed, name string) attrs {
			return edgeConfiguration{version: "v3", images: map[string]string{name: "app:1"}, timeout: "1m"}.resources()[0].config(nil)
		}},
		"kuscia_rollout_approval": {
			noIdentity: "it is no object, and changes with each step",
			config: func(t *testing.T, b *typeBed, name string) attrs {
				t.Helper()
				return with(b.release(t, "approval-"+name), attrs{"step": 1})
			},
		},
	}
	for _, kind := range kubeKinds {
		cases[kind.typeName] = typeCase{config: func(t *testing.T, b *typeBed, name string) attrs {
			t.Helper()
			name = strings.ReplaceAll(kind.typeName, "_", "-") + "-" + name
			b.kube.For(t).AppImage(name, "example/app", "v1", 1)
			return kind.config(&kubeTestbed{name: name}, 1)
		}}
	}
	for _, kind := range objectKinds() {
		cases[kind.typeName] = typeCase{
			node: kind.node,
			prepare: func(t *testing.T, b *typeBed) {
				t.Helper()
				for _, needed := range kind.needs {
					b.apply(t, b.server(kind.node).Resource(t, needed.kind.typeName), needed.kind.config(needed, "1m"))
				}
			},
			config: func(_ *testing.T, _ *typeBed, name string) attrs { return kind.config(objectSpec{kind, name, 1}, "1m") },
		}
	}
	return cases
}

// actionCase is an action and a target that does not exist.
type actionCase struct {
	config      func(t *testing.T, b *typeBed) attrs
	wrong       attrs
	says        string
	progressing string
}

var actionCases = map[string]actionCase{
	"kuscia_serving_redeploy": {
		config: func(t *testing.T, b *typeBed) attrs {
			t.Helper()
			b.apply(t, b.server("").Resource(t, "kuscia_serving"), typeCases()["kuscia_serving"].config(t, b, "redeployed"))
			return attrs{"serving_id": "redeployed"}
		},
		wrong: attrs{"serving_id": "nobody"}, says: `no serving "nobody"`, progressing: "every party runs",
	},
	"kuscia_rollout_approve": {
		config: func(t *testing.T, b *typeBed) attrs { t.Helper(); return b.release(t, "approved") },
		wrong:  attrs{"name": "nobody"}, says: `no Rollout "nobody" in the namespace "alice"`, progressing: "step 2",
	},
}

// ephemeralCase is an ephemeral resource, and a value that is refused.
type ephemeralCase struct {
	prepare func(t *testing.T, b *typeBed)
	config  attrs
	wrong   attrs
	says    string
}

var ephemeralCases = map[string]ephemeralCase{
	"kuscia_certificate": {config: attrs{"common_name": "alice"}, wrong: attrs{"common_name": ""}, says: "common_name must not be empty"},
	"kuscia_domain_deploy_token": {
		prepare: func(t *testing.T, b *typeBed) {
			t.Helper()
			must(b.nodes[""].API.CreateDomain(context.Background(), &kuscia.DomainRequest{DomainID: "opened"}))
		},
		config: attrs{"domain_id": "opened"}, wrong: attrs{"domain_id": "nobody"}, says: `no domain "nobody"`,
	},
}

// TestEveryType: what every type of the provider has, with the calls of a CLI that has
// all of them: import by id and by identity, lists, actions and ephemeral resources. The
// types are those of the provider's schema.
func TestEveryType(t *testing.T) {
	t.Parallel()
	b := newTypeBed(t)
	schemas, cases := b.server("").Schemas, typeCases()
	everyCase(t, "resource", schemas.ResourceSchemas, cases, func(t *testing.T, name string, c typeCase) { c.test(t, b, name) })
	everyCase(t, "action", schemas.ActionSchemas, actionCases, func(t *testing.T, name string, c actionCase) { c.test(t, b, name) })
	everyCase(t, "ephemeral", schemas.EphemeralResourceSchemas, ephemeralCases, func(t *testing.T, name string, c ephemeralCase) { c.test(t, b, name) })
	for name := range schemas.ListResourceSchemas {
		if schemas.ResourceSchemas[name] == nil {
			t.Errorf("the list resource %s has no resource, with which it is tested", name)
		}
	}
}

// everyCase tests every type of one sort with its case, in parallel. A type without a case
// is an error, and so is a case without a type.
func everyCase[S, C any](t *testing.T, sort string, provided map[string]S, cases map[string]C, test func(t *testing.T, name string, c C)) {
	t.Helper()
	for name := range cases {
		if _, ok := provided[name]; !ok {
			t.Errorf("the provider has no %s %s", sort, name)
		}
	}
	for name := range provided {
		c, ok := cases[name]
		if !ok {
			t.Errorf("%s %s has no case in types_test.go", sort, name)
			continue
		}
		t.Run(sort+"/"+name, func(t *testing.T) {
			t.Parallel()
			test(t, name, c)
		})
	}
}

// test invokes the action, whose progress is reported.
func (c actionCase) test(t *testing.T, b *typeBed, name string) {
	t.Helper()
	config := c.config(t, b)
	progress, diagnostics := b.server("").Invoke(t, name, config)
	protocol.Check(t, nil, diagnostics)
	if said := strings.Join(progress, "\n"); len(progress) < 2 || !strings.Contains(said, c.progressing) {
		t.Errorf("the progress is %q", said)
	}
	progress, diagnostics = b.server("").Invoke(t, name, with(config, c.wrong))
	refused(t, "a wrong target", protocol.Messages(diagnostics), c.says)
	if len(progress) > 0 {
		t.Errorf("a wrong target has the progress %q", progress)
	}
}

// test opens and closes the ephemeral resource.
func (c ephemeralCase) test(t *testing.T, b *typeBed, name string) {
	t.Helper()
	if c.prepare != nil {
		c.prepare(t, b)
	}
	first, diagnostics := b.server("").Open(t, name, c.config)
	protocol.Check(t, nil, diagnostics)
	if !first.IsFullyKnown() {
		t.Errorf("the result is %s", first)
	}
	_, diagnostics = b.server("").Open(t, name, with(c.config, c.wrong))
	refused(t, "a wrong configuration", protocol.Messages(diagnostics), c.says)
}

// refused checks that something is refused with an error that contains texts, and is
// neither an error of a server that does not exist nor a fault of the provider.
func refused(t *testing.T, what, said string, texts ...string) {
	t.Helper()
	if !strings.Contains(said, "ERROR") {
		t.Errorf("%s is not refused, said %q", what, said)
	}
	for _, text := range texts {
		if !strings.Contains(said, text) {
			t.Errorf("%s: %q is not in %s", what, text, said)
		}
	}
	for _, text := range []string{"127.0.0.1:1", "/no/kubeconfig", "issue in the provider", "provider developers", "panic"} {
		if strings.Contains(said, text) {
			t.Errorf("%s: %s", what, said)
		}
	}
}
