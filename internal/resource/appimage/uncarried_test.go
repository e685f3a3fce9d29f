package appimage_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// uncarried sets what the KusciaAPI does not carry in the app image of a test.
const uncarried = `[
	{"op": "add", "path": "/spec/deployTemplates/0/networkPolicy", "value": {"ingresses": [{"from": {"roles": ["client"]}, "ports": [{"port": "http"}]}]}},
	{"op": "add", "path": "/spec/deployTemplates/0/spec/affinity", "value": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "gpu", "operator": "Exists"}]}]}}}},
	{"op": "add", "path": "/spec/deployTemplates/0/spec/containers/0/securityContext", "value": {"privileged": true}},
	{"op": "add", "path": "/spec/deployTemplates/0/spec/containers/0/metricProbe", "value": {"path": "/metrics", "port": "http"}},
	{"op": "add", "path": "/spec/deployTemplates/0/spec/containers/0/ports/0/port", "value": 8023},
	{"op": "add", "path": "/spec/deployTemplates/0/spec/containers/0/env/0/valueFrom", "value": {"fieldRef": {"fieldPath": "status.podIP"}}},
	{"op": "add", "path": "/spec/deployTemplates/0/spec/containers/0/envFrom/0/secretRef/optional", "value": true},
	{"op": "add", "path": "/spec/deployTemplates/0/spec/containers/0/resources/limits/nvidia.com~1gpu", "value": "1"},
	{"op": "replace", "path": "/spec/deployTemplates/0/spec/containers/0/livenessProbe/httpGet/port", "value": 8024}
]`

// byHand is the configuration of an app image, with changes by path, such as
// "deploy_templates.0.replicas".
func byHand(name string, changes protocol.Object) protocol.Object {
	var config map[string]any
	text := `{"image": {"name": "example/app", "tag": "1"}, "config_templates": {"a.conf": "x"}, "deploy_templates": [{"name": "app", "replicas": 1, "containers": [{
		"name": "main", "command": ["sh"], "working_dir": "/work", "image_pull_policy": "IfNotPresent",
		"config_volume_mounts": [{"mount_path": "/a.conf", "sub_path": "a.conf"}],
		"ports": [{"name": "http", "scope": "Domain"}, {"name": "rpc", "protocol": "GRPC"}],
		"env": [{"name": "IP"}, {"name": "A", "value": "a"}],
		"env_from": [{"secret_ref": {"name": "keys"}}, {"config_map_ref": {"name": "settings"}}],
		"resources": {"limits": {"cpu": "1"}, "requests": {"memory": "512Mi"}},
		"liveness_probe": {"http_get": {"path": "/", "port": "http", "http_headers": [{"name": "X", "value": "1"}]}, "period_seconds": 7},
		"readiness_probe": {"exec": {"command": ["true"]}},
		"startup_probe": {"grpc": {"port": 9000, "service": "s"}, "termination_grace_period_seconds": 9}
	}]}]}`
	if err := json.Unmarshal([]byte(text), &config); err != nil {
		panic(err)
	}
	config["name"] = name
	for at, value := range changes {
		in, steps := any(config), strings.Split(at, ".")
		for i, step := range steps {
			switch of := in.(type) {
			case []any:
				in = of[step[0]-'0']
			case map[string]any:
				if i == len(steps)-1 {
					of[step] = value
				}
				in = of[step]
			}
		}
	}
	return config
}

const (
	inMain    = "deploy_templates.0.containers.0."
	probePort = inMain + "liveness_probe.http_get.port"
)

// TestUpdateKeepsWhatTheAPIDoesNotCarry: fields of an AppImage that the KusciaAPI does
// not carry stay in every update, except where the configuration removes what has them.
func TestUpdateKeepsWhatTheAPIDoesNotCarry(t *testing.T) {
	t.Parallel()
	// How the fields are recognized in the AppImage, and in messages.
	fields := map[string]string{
		"networkPolicy": "deployTemplates[0].networkPolicy", "affinity": "spec.affinity", "securityContext": ".securityContext", "metricProbe": ".metricProbe", "8023": "ports[0].port",
		"valueFrom": "env[0].valueFrom", "optional": "envFrom[0].secretRef.optional", "nvidia.com/gpu": "resources.limits.nvidia.com/gpu",
	}
	for name, test := range map[string]struct {
		changes protocol.Object
		// gone are the fields that the plan says are removed.
		gone []string
		// writes are the updates by each API.
		kuscia, cluster int
	}{
		"tag":          {protocol.Object{"image.tag": "2"}, nil, 1, 0},
		"replicas":     {protocol.Object{"image.tag": "2", "deploy_templates.0.replicas": 3}, nil, 0, 1},
		"every list":   {protocol.Object{inMain + "args": []any{"-c"}, inMain + "command": []any{}, inMain + "working_dir": "/", inMain + "startup_probe": nil}, nil, 0, 1},
		"probe":        {protocol.Object{inMain + "readiness_probe": map[string]any{"tcp_socket": map[string]any{"port": "rpc"}, "success_threshold": 2, "initial_delay_seconds": 1, "timeout_seconds": 4, "failure_threshold": 3}}, nil, 0, 1},
		"port removed": {protocol.Object{inMain + "ports": []any{map[string]any{"name": "rpc", "protocol": "GRPC"}}}, []string{"8023"}, 0, 1},
		"port added": {protocol.Object{inMain + "ports": []any{
			map[string]any{"name": "http", "scope": "Domain"}, map[string]any{"name": "rpc", "protocol": "GRPC"}, map[string]any{"name": "more"},
		}}, nil, 0, 1},
		"source removed": {protocol.Object{inMain + "env_from": []any{map[string]any{"config_map_ref": map[string]any{"name": "settings"}}}}, []string{"optional"}, 0, 1},
		"variable set":   {protocol.Object{inMain + "env.0.value": "1.2.3.4"}, []string{"valueFrom"}, 0, 1},
		"less resources": {protocol.Object{inMain + "resources": map[string]any{"limits": map[string]any{}, "requests": map[string]any{"cpu": "1"}}}, nil, 0, 1},
		"renamed":        {protocol.Object{inMain + "name": "other", probePort: "http"}, []string{"securityContext", "metricProbe", "8023", "valueFrom", "optional", "nvidia.com/gpu"}, 0, 1},
	} {
		test.changes["allow_removal_of"] = []any{"deployTemplates.spec.containers.securityContext"}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := acctest.NewKube(t)
			e := acctest.NewSandbox(t, sandbox.Options{})
			k.RunServings(e)
			r := e.Server(k.Variables()).Resource(t, typeName)
			image := k.Name("image")
			r.Create(t, protocol.Value(r.Kind, byHand(image, nil)))
			before := k.Patch(acctest.KubeAppImages, "", image, types.JSONPatchType, uncarried)

			// The port of the probe, a number, is "" in the KusciaAPI.
			for found := (&kuscia.AppImage{}); len(found.DeployTemplates) == 0 || found.DeployTemplates[0].Containers[0].LivenessProbe.HTTPGet.Port != ""; {
				var err error
				if found, err = e.API.QueryAppImage(t.Context(), image); err != nil {
					t.Fatal(err)
				}
			}
			made, said := r.ImportWithWarnings(t, image)
			for _, named := range fields {
				if !strings.Contains(said, named) {
					t.Errorf("the import does not name %s: %s", named, said)
				}
			}
			liveness := protocol.Object{probePort: ""}
			if _, set := test.changes[probePort]; !set {
				test.changes[probePort] = ""
			}
			if plan, planned := r.Plan(t, protocol.Value(r.Kind, byHand(image, liveness)), made); !planned.Equal(made.Value) {
				t.Fatalf("the plan after the import is not empty: %s", protocol.Messages(plan.Diagnostics))
			}
			toKuscia, toCluster := e.CountRequests(), k.CountRequests()
			after, said := r.Apply(t, protocol.Value(r.Kind, byHand(image, test.changes)), made)
			said = withoutProbePort(said)
			if (said != "") != (len(test.gone) > 0) {
				t.Errorf("said %q", said)
			}
			writes := 0
			for _, request := range toCluster.Since() {
				if request.IsWrite() {
					writes++
				}
			}
			if got := toKuscia.Since(acctest.PathAppImageUpdate); got != test.kuscia || writes != test.cluster {
				t.Errorf("%d updates and %d writes to the cluster", got, writes)
			}
			now := k.Get(acctest.KubeAppImages, "", image)
			text, _ := json.Marshal(now.Object["spec"])
			for field, named := range fields {
				gone := slices.Contains(test.gone, field)
				if strings.Contains(string(text), field) == gone || strings.Contains(said, named) != gone {
					t.Errorf("%s: gone: %t, said %q: %s", field, gone, said, text)
				}
			}
			if reflect.DeepEqual(now.Object["spec"], before.Object["spec"]) {
				t.Error("nothing was changed")
			}
			if plan, planned := r.Plan(t, protocol.Value(r.Kind, byHand(image, test.changes)), after); !planned.Equal(after.Value) {
				t.Errorf("the next plan is not empty: %s", protocol.Messages(plan.Diagnostics))
			}
		})
	}
}

// withoutProbePort leaves out the warning of the imported port of a probe.
func withoutProbePort(said string) string {
	var rest []string
	for _, line := range strings.Split(said, "\n") {
		if !strings.Contains(line, probePort[len(inMain):]) && !strings.Contains(line, "The existing object already has this value") && line != "" {
			rest = append(rest, line)
		}
	}
	return strings.Join(rest, "\n")
}

// TestUpdateWithoutPermission: an update that would remove fields is refused in the plan
// and in the apply, with the fields and the ways out.
func TestUpdateWithoutPermission(t *testing.T) {
	t.Parallel()
	rule := func(verbs ...string) acctest.KubeRule {
		return acctest.KubeRule{APIGroups: []string{"kuscia.secretflow"}, Resources: []string{"appimages"}, Verbs: verbs}
	}
	k := acctest.NewKube(t)
	e := acctest.NewSandbox(t, sandbox.Options{})
	k.RunServings(e)
	r := e.Server(k.Variables()).Resource(t, typeName)
	image := k.Name("image")
	state := r.Create(t, protocol.Value(r.Kind, byHand(image, nil)))
	before := k.Patch(acctest.KubeAppImages, "", image, types.JSONPatchType,
		`[{"op": "add", "path": "/spec/deployTemplates/0/spec/containers/0/securityContext", "value": {"privileged": true}}]`)
	desired := protocol.Value(r.Kind, byHand(image, protocol.Object{"deploy_templates.0.replicas": 2}))
	plan, _ := r.Plan(t, desired, state)
	protocol.Check(t, nil, plan.Diagnostics)
	lost := []string{"ERROR", "deployTemplates[0].spec.containers[0].securityContext", "Nothing was changed"}

	k.Limit(rule("get"))
	refused, _ := r.Plan(t, desired, state)
	protocol.Says(t, "the message", protocol.Messages(refused.Diagnostics), append(lost, `AttributeName("allow_removal_of")`, "cannot patch", `allow_removal_of = ["deployTemplates.spec.containers.securityContext"]`)...)
	// Allowed in the plan and not any more in the apply.
	requests := e.CountRequests()
	protocol.Says(t, "the message", protocol.Messages(r.Change(t, desired, state, plan).Diagnostics), append(lost, "verb patch of appimages.kuscia.secretflow")...)
	if n := requests.Since(acctest.PathAppImageUpdate); n != 0 || !reflect.DeepEqual(k.Get(acctest.KubeAppImages, "", image).Object, before.Object) {
		t.Errorf("%d updates", n)
	}
	tag, _ := r.Plan(t, protocol.Value(r.Kind, byHand(image, protocol.Object{"image.tag": "2"})), state)
	protocol.Check(t, nil, tag.Diagnostics)

	// Without the permission to look, the plan says that it does not know.
	k.Limit()
	blind, _ := r.Plan(t, desired, state)
	protocol.Says(t, "the message", protocol.Messages(blind.Diagnostics), "WARNING", "Fields of the app image may be lost", "securityContext", "cannot get")
	if protocol.Failed(blind.Diagnostics) {
		t.Error("the plan is refused")
	}
}

// TestImportWithoutCluster: the import warns of fields that cannot be seen, and so does
// the first plan that may remove them.
func TestImportWithoutCluster(t *testing.T) {
	t.Parallel()
	e := acctest.NewSandbox(t, sandbox.Options{})
	r := e.Server(nil).Resource(t, typeName)
	image := e.Name("image")
	own := r.Create(t, protocol.Value(r.Kind, byHand(image, nil)))
	update := func(state protocol.State, changes protocol.Object, want string) protocol.State {
		t.Helper()
		state, said := r.Apply(t, protocol.Value(r.Kind, byHand(image, changes)), state)
		if strings.Contains(said, "securityContext") != (want != "") || !strings.Contains(said, want) || want == "" && said != "" {
			t.Errorf("said %q, want %q", said, want)
		}
		return state
	}
	update(own, protocol.Object{"deploy_templates.0.replicas": 2}, "")
	imported, said := r.ImportWithWarnings(t, image)
	if !strings.Contains(said, "WARNING") || !strings.Contains(said, "securityContext") || !strings.Contains(said, "set kubernetes in the provider block") {
		t.Errorf("the import said %q", said)
	}
	tagged := update(imported, protocol.Object{"deploy_templates.0.replicas": 2, "image.tag": "2"}, "")
	if refused, said := r.Apply(t, protocol.Value(r.Kind, byHand(image, protocol.Object{"image.tag": "2"})), tagged); !strings.Contains(said, "ERROR") || !refused.Value.Equal(tagged.Value) {
		t.Errorf("said %q", said)
	}
	may := []any{"deployTemplates.networkPolicy", "deployTemplates.spec.containers.securityContext"}
	changed := update(tagged, protocol.Object{"image.tag": "2", "allow_removal_of": may}, "may remove fields that the KusciaAPI does not carry")
	update(changed, protocol.Object{"image.tag": "2", "deploy_templates.0.replicas": 3}, "")
}

// TestChangedSincePlan: an update that does not change the deploy templates leaves them as another
// client has changed them since the plan, or since the state was read, with all that they have.
func TestChangedSincePlan(t *testing.T) {
	t.Parallel()
	for _, cluster := range []bool{true, false} {
		for _, refreshed := range []bool{true, false} {
			k := acctest.NewKube(t)
			e := acctest.NewSandbox(t, sandbox.Options{})
			k.RunServings(e)
			var variables map[string]string
			if cluster {
				variables = k.Variables()
			}
			r := e.Server(variables).Resource(t, typeName)
			image := k.Name("image")
			r.Create(t, protocol.Value(r.Kind, byHand(image, nil)))
			state, _ := r.Import(t, image)
			desired := protocol.Value(r.Kind, byHand(image, protocol.Object{"image.tag": "2"}))
			change := func() {
				k.Patch(acctest.KubeAppImages, "", image, types.JSONPatchType, `[
					{"op": "replace", "path": "/spec/deployTemplates/0/replicas", "value": 2},
					{"op": "add", "path": "/spec/deployTemplates/0/networkPolicy", "value": {"ingresses": [{"from": {"roles": ["client"]}, "ports": [{"port": "http"}]}]}},
					{"op": "add", "path": "/spec/deployTemplates/0/spec/containers/0/securityContext", "value": {"privileged": true}}
				]`)
				for found := (&kuscia.AppImage{}); len(found.DeployTemplates) == 0 || found.DeployTemplates[0].Replicas != 2; {
					var err error
					if found, err = e.API.QueryAppImage(t.Context(), image); err != nil {
						t.Fatal(err)
					}
				}
			}
			if !refreshed {
				change()
			}
			plan, _ := r.Plan(t, desired, state)
			protocol.Check(t, nil, plan.Diagnostics)
			if refreshed {
				change()
			}
			response := r.Change(t, desired, state, plan)
			if said := protocol.Messages(response.Diagnostics); !strings.Contains(said, "is not as planned") || !strings.Contains(said, "replicas") {
				t.Errorf("cluster %t, refreshed %t: it does not tell of the change: %s", cluster, refreshed, said)
			}
			text, _ := json.Marshal(k.Get(acctest.KubeAppImages, "", image).Object["spec"])
			for _, want := range []string{`"replicas":2`, "networkPolicy", "privileged", `"tag":"2"`} {
				if !strings.Contains(string(text), want) {
					t.Errorf("cluster %t, refreshed %t: %s is not there: %s", cluster, refreshed, want, text)
				}
			}
		}
	}
}
