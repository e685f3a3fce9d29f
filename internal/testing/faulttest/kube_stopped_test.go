package faulttest_test

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	kubeschema "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
)

// stoppedCluster is a cluster whose API server can stop, refuse its tokens, and set its
// clock, with a KusciaAPI for app images.
type stoppedCluster struct {
	k         *acctest.Kube
	name      string
	terraform *terraform
	gate      *gate
	dir       string
	// token is the one that the API server accepts, nil for any.
	token atomic.Pointer[string]
	// clock is by how much its clock is wrong since when it jumped.
	clock atomic.Pointer[jump]
}

// jump is a change of a clock.
type jump struct {
	at time.Time
	by time.Duration
}

func newStoppedCluster(t *testing.T, own bool) *stoppedCluster {
	t.Helper()
	b := &stoppedCluster{terraform: newTerraform(nil), dir: t.TempDir()}
	if own {
		b.k = acctest.NewKubeServer(t)
	} else {
		b.k = acctest.NewKube(t)
	}
	b.k.RequireSimulated(t, "the API server stops")
	b.name = b.k.Name("st")
	e := acctest.NewSandbox(t, sandbox.Options{Timing: sandbox.QuickTiming()})
	b.k.RunServings(e)
	for _, tag := range []string{"v1", "v2"} {
		b.k.AppImage(b.name+"-"+tag, "example/app", tag, 1)
	}
	b.k.Sweep(b.name)
	proxy := kubeProxy(b.k.KubeconfigPath())
	b.gate = newGate(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { b.serve(proxy, w, r) }))
	b.terraform.providerBlock = attrs{"endpoint": e.Sandbox.Endpoint(), "kubernetes": attrs{"host": b.gate.endpoint()}}
	return b
}

// writtenTime is a time that the API server or a controller has written.
var writtenTime = regexp.MustCompile(`("(?:creationTimestamp|deletionTimestamp|lastUpdateTime|lastTransitionTime|lastProbeTime|startTime|time)": ?")([^"]+)"`)

func (b *stoppedCluster) serve(cluster http.Handler, w http.ResponseWriter, r *http.Request) {
	if token := b.token.Load(); token != nil && r.Header.Get("Authorization") != "Bearer "+*token {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(kubeStatus(http.StatusUnauthorized, "Unauthorized", "Unauthorized")))
		return
	}
	r.Header.Del("Authorization") // that of the proxy is another
	clock := b.clock.Load()
	if clock == nil {
		cluster.ServeHTTP(w, r)
		return
	}
	response := httptest.NewRecorder()
	cluster.ServeHTTP(response, r)
	maps.Copy(w.Header(), response.Header())
	w.Header().Del("Content-Length")
	w.WriteHeader(response.Code)
	_, _ = w.Write(writtenTime.ReplaceAllFunc(response.Body.Bytes(), func(field []byte) []byte {
		parts := writtenTime.FindSubmatch(field)
		at, err := time.Parse(time.RFC3339, string(parts[2]))
		if err != nil || at.Before(clock.at) {
			return field
		}
		return slices.Concat(parts[1], []byte(at.Add(clock.by).Format(time.RFC3339)), []byte(`"`))
	}))
}

// Its configurations have deployments of which some have a Rollout, traffic routings and
// app images. All of them change in an update, and the steps of two Rollouts are approved.
const (
	stoppedDeployments = 8
	stoppedRollouts    = 3 // of the first deployments
	stoppedReleases    = 2 // of the first Rollouts; the others change
	stoppedOthers      = 2
)

// resources is the configuration in a version: 1 or 2.
func (b *stoppedCluster) resources(version int) (list []resource) {
	add := func(typeName string, n int, config attrs, after ...string) {
		switch typeName {
		case "kuscia_deployment", "kuscia_rollout":
			config["timeouts"] = attrs{"create": "3m", "update": "3m", "delete": "3m"}
		case "kuscia_rollout_approval":
			config["timeouts"] = attrs{"create": "3m"}
		}
		list = append(list, resource{address: fmt.Sprintf("%s.%02d", typeName, n), typeName: typeName, after: after, config: func(func(string, string) any) attrs { return config }})
	}
	for n := range stoppedDeployments {
		add("kuscia_deployment", n, attrs{"name": b.object(n), "initiator": "alice", "input_config": "{}", "parties": attrs{
			"alice": attrs{"app_image": b.name + "-" + b.tag(n, version), "replicas": 2},
		}})
	}
	for n := range stoppedRollouts {
		threshold := 1
		if n >= stoppedReleases {
			threshold = version
		}
		add("kuscia_rollout", n, attrs{
			"namespace": "alice", "name": b.object(n), "workload_ref": attrs{"name": b.object(n)},
			"canary": attrs{"steps": []any{attrs{"replicas": "50%"}, attrs{"replicas": "100%"}}, "failure_threshold": fmt.Sprint(threshold)},
		}, fmt.Sprintf("kuscia_deployment.%02d", n))
	}
	for n := range stoppedOthers {
		add("kuscia_traffic_routing", n, attrs{
			"namespace": "alice", "name": b.object(n), "object_ref": []any{attrs{"service": "s", "ingress": attrs{"name": "i"}}}, "strategy": attrs{"weight": version},
		})
		ports := []any{attrs{"name": "service", "scope": "Domain"}}
		if version == 2 {
			ports = append(ports, attrs{"name": "more", "scope": "Cluster"})
		}
		add("kuscia_app_image", n, attrs{
			"name": b.object(n), "image": attrs{"name": "example/app", "tag": fmt.Sprint(version)},
			"deploy_templates": []any{attrs{"name": "app", "containers": []any{attrs{"name": "main", "ports": ports}}}},
		})
	}
	if version == 2 {
		for n := range stoppedReleases {
			add("kuscia_rollout_approval", n, attrs{"namespace": "alice", "name": b.object(n), "step": 1, "triggers": attrs{"version": "2"}},
				fmt.Sprintf("kuscia_deployment.%02d", n), fmt.Sprintf("kuscia_rollout.%02d", n))
		}
	}
	return list
}

// object is the name of the nth object of each kind.
func (b *stoppedCluster) object(n int) string { return fmt.Sprintf("%s-%02d", b.name, n) }

// tag is that of the app image of a deployment: those of Rollouts that change keep theirs.
func (b *stoppedCluster) tag(n, version int) string {
	if n >= stoppedReleases && n < stoppedRollouts {
		version = 1
	}
	return fmt.Sprintf("v%d", version)
}

// approvalPrefix is that of the addresses of approvals, which have no objects of their own.
const approvalPrefix = "kuscia_rollout_approval."

// stoppedKinds are the objects of the resources.
var stoppedKinds = map[string]struct {
	gvr       kubeschema.GroupVersionResource
	namespace string
}{
	"kuscia_deployment":      {acctest.KubeKusciaDeployments, acctest.KubeNamespace},
	"kuscia_rollout":         {acctest.KubeRollouts, "alice"},
	"kuscia_traffic_routing": {acctest.KubeTrafficRoutings, "alice"},
	"kuscia_app_image":       {acctest.KubeAppImages, ""},
}

// get returns the object of a resource, or nil.
func (b *stoppedCluster) get(address string) *unstructured.Unstructured {
	typeName, n, _ := strings.Cut(address, ".")
	kind := stoppedKinds[typeName]
	return b.k.Get(kind.gvr, kind.namespace, b.name+"-"+n)
}

func (b *stoppedCluster) exists(address string) bool {
	if strings.HasPrefix(address, approvalPrefix) {
		b.terraform.mu.Lock()
		defer b.terraform.mu.Unlock()
		return b.terraform.state[address] != nil
	}
	object := b.get(address)
	return object != nil && object.GetDeletionTimestamp() == nil
}

// notRunning is why an object is not that of a version, or its pods are not.
func (b *stoppedCluster) notRunning(address string, version int) error {
	typeName, number, _ := strings.Cut(address, ".")
	n, err := strconv.Atoi(number)
	must(err)
	if strings.HasPrefix(address, approvalPrefix) {
		return b.podsRun(n, version, 2)
	}
	object := b.get(address)
	if object == nil {
		return fmt.Errorf("%s does not exist", address)
	}
	field := func(path ...string) string {
		value, _, _ := unstructured.NestedFieldNoCopy(object.Object, path...)
		return fmt.Sprint(value)
	}
	got, want := "", fmt.Sprint(version)
	switch typeName {
	case "kuscia_traffic_routing":
		got = field("spec", "strategy", "weight")
	case "kuscia_app_image":
		got = field("spec", "image", "tag")
	case "kuscia_rollout":
		if got = field("spec", "strategy", "canary", "failureThreshold"); n < stoppedReleases {
			want = "1"
		}
	case "kuscia_deployment":
		if n < stoppedReleases && version == 2 { // one pod of two at the first step
			return b.podsRun(n, version, 1)
		}
		return b.podsRun(n, version, 2)
	}
	if got != want {
		return fmt.Errorf("%s has %s, want %s", address, got, want)
	}
	return nil
}

// podsRun returns an error unless a number of pods of the version run.
func (b *stoppedCluster) podsRun(n, version int, pods int64) error {
	d := b.k.Get(acctest.KubeDeployments, "alice", b.object(n))
	if d == nil {
		return errors.New("there is no Deployment")
	}
	containers, _, _ := unstructured.NestedSlice(d.Object, "spec", "template", "spec", "containers")
	number := func(field string) int64 {
		value, _, _ := unstructured.NestedInt64(d.Object, "status", field)
		return value
	}
	image := fmt.Sprint(containers[0].(map[string]any)["image"])
	if !strings.HasSuffix(image, ":"+b.tag(n, version)) || number("observedGeneration") < d.GetGeneration() || number("updatedReplicas") < pods || number("availableReplicas") < 2 {
		return fmt.Errorf("its Deployment has the image %s and the status %v", image, d.Object["status"])
	}
	return nil
}

// differences lists what is not that of a version, and what should not exist.
func (b *stoppedCluster) differences(version int) (found []string) {
	desired := map[string]bool{}
	if version > 0 {
		for _, r := range b.resources(version) {
			desired[r.address] = true
			if err := b.notRunning(r.address, version); err != nil {
				found = append(found, err.Error())
			}
		}
	}
	for _, r := range b.resources(1) {
		if !desired[r.address] && b.get(r.address) != nil {
			found = append(found, r.address+" exists")
		}
	}
	return found
}

// apply applies a version, which has to succeed.
func (b *stoppedCluster) apply(t *testing.T, version int) {
	t.Helper()
	b.terraform.checkConverges(t, b.resources(version), func() []string { return b.differences(version) })
	if t.Failed() {
		t.FailNow()
	}
	for n := range stoppedOthers { // the KusciaAPI does not carry it: updates go through the Kubernetes API
		b.k.Patch(acctest.KubeAppImages, "", b.object(n), types.JSONPatchType, `[{"op":"add","path":"/spec/deployTemplates/0/spec/containers/0/securityContext","value":{"privileged":true}}]`)
	}
}

// refusing refuses the token of the provider from begin to end.
func (b *stoppedCluster) refusing(says string, end func()) stop {
	other := "another"
	return stop{begin: func(*testing.T) { b.token.Store(&other) }, end: func(*testing.T) { end() }, says: says}
}

// tokenOf lets the API server accept only a token, which is in a file.
func (b *stoppedCluster) tokenOf(token string) (file string) {
	file = filepath.Join(b.dir, "token")
	must(os.WriteFile(file+".new", []byte(token+"\n"), 0o600))
	must(os.Rename(file+".new", file))
	b.token.Store(&token)
	return file
}

// kubernetes sets attributes of the provider block.
func (b *stoppedCluster) kubernetes(set attrs) { b.terraform.providerBlock["kubernetes"] = set }

// rotated is a change of the token in the file, from which the provider gets it.
func (b *stoppedCluster) rotated() stop {
	return stop{begin: func(*testing.T) { b.tokenOf("second") }, end: func(*testing.T) { b.tokenOf("third") }}
}

// jumps is a jump of the API server's clock.
func (b *stoppedCluster) jumps(by time.Duration) stop {
	return stop{begin: func(*testing.T) { b.clock.Store(&jump{time.Now(), by}) }, end: func(*testing.T) {}}
}

func (b *stoppedCluster) withoutController(name, says string) stop {
	return stop{begin: func(*testing.T) { b.k.StopController(name) }, end: func(*testing.T) { b.k.StartController(name) }, says: says}
}

// clusterStops are the parts of a cluster that can stop, by name.
var clusterStops = map[string]struct {
	stop func(b *stoppedCluster) stop
	// own is set if all clients notice it.
	own bool
}{
	"API server": {stop: func(b *stoppedCluster) stop {
		return stop{
			begin: func(*testing.T) {
				b.gate.mu.Lock()
				defer b.gate.mu.Unlock()
				b.gate.shut()
			},
			end: func(*testing.T) { b.gate.open() }, says: "connection",
		}
	}},
	"Kuscia's controllers": {stop: func(b *stoppedCluster) stop { return b.withoutController(acctest.KusciaController, "") }, own: true},
	"Kruise's manager":     {stop: func(b *stoppedCluster) stop { return b.withoutController(acctest.KruiseController, "webhook") }, own: true},
	"token": {stop: func(b *stoppedCluster) stop {
		b.tokenOf("first")
		b.kubernetes(attrs{"host": b.gate.endpoint(), "token": "first"})
		return b.refusing("401", func() { b.tokenOf("first") })
	}},
	"token of a file": {stop: func(b *stoppedCluster) stop {
		file, kubeconfig := b.tokenOf("first"), filepath.Join(b.dir, "kubeconfig")
		must(os.WriteFile(kubeconfig, []byte(kubeconfigText(`server: "`+b.gate.endpoint()+`"`, `tokenFile: "`+file+`"`)), 0o600))
		b.kubernetes(attrs{"config_path": kubeconfig})
		return b.rotated()
	}},
	"token of a plugin": {stop: func(b *stoppedCluster) stop {
		file, plugin := b.tokenOf("first"), filepath.Join(b.dir, "plugin")
		must(os.WriteFile(plugin, []byte(`#!/bin/sh
printf '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}' "$(cat '`+file+`')"
`), 0o700))
		b.kubernetes(attrs{"host": b.gate.endpoint(), "exec": attrs{"api_version": "client.authentication.k8s.io/v1", "command": plugin}})
		return b.rotated()
	}},
	"clock, forward": {stop: func(b *stoppedCluster) stop { return b.jumps(time.Hour) }},
	"clock, back":    {stop: func(b *stoppedCluster) stop { return b.jumps(-time.Hour) }},
}

// TestClusterStopped is TestStopped for objects of a cluster.
func TestClusterStopped(t *testing.T) {
	t.Parallel()
	type row struct {
		stop            string
		lasts           time.Duration
		before, desired int // versions; 0 is none
	}
	rows := map[string]row{}
	for name := range clusterStops {
		for _, lasts := range stopTimes {
			for change, versions := range map[string][2]int{"create": {0, 1}, "update": {1, 2}, "delete": {1, 0}} {
				if testing.Short() && lasts > stopTimes[0] {
					continue
				}
				rows[fmt.Sprintf("%s for %s, %s", name, lasts, change)] = row{name, lasts, versions[0], versions[1]}
			}
		}
	}
	for name, test := range acctest.Sample(t, 1, rows) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			of := clusterStops[test.stop]
			b := newStoppedCluster(t, of.own)
			stops := of.stop(b)
			if test.before > 0 {
				b.apply(t, test.before)
			}
			var desired []resource
			if test.desired > 0 {
				desired = b.resources(test.desired)
			}
			notRunning := func(address string) error { return b.notRunning(address, test.desired) }
			b.terraform.done = func(address string, _ *object, gone bool) {
				if gone && b.exists(address) {
					t.Errorf("%s was reported as deleted but still exists", address)
				}
				if err := notRunning(address); !gone && err != nil {
					t.Errorf("%s was reported as done although %v", address, err)
				}
			}
			requests := b.k.CountRequests()
			stoppedApply{
				stop: stops, lasts: test.lasts, updates: test.before == 1 && test.desired == 2,
				terraform: b.terraform, desired: desired, after: 5,
				writes: func() int {
					writes := slices.DeleteFunc(requests.Since(), func(r acctest.KubeRequest) bool { return !r.IsWrite() })
					return len(writes)
				},
				exists: b.exists, notRunning: notRunning,
				converge: func() {
					b.terraform.applyAfterFault(t, desired)
					// Its refresh sees the end of releases that this apply has approved.
					if o, _ := b.terraform.plan(desired...); !o.ok() || o.changes() != "" {
						t.Errorf("the plan after the next apply: %s\n%s", o.changes(), o.text())
					}
					b.terraform.checkConverges(t, desired, func() []string { return b.differences(test.desired) })
				},
			}.run(t)
			b.token.Store(nil)
			b.kubernetes(attrs{"host": b.gate.endpoint()})
			b.terraform.checkConverges(t, nil, func() []string { return b.differences(0) })
		})
	}
}
