package kubetest_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/klog/v2"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubetest"
)

// The recordings in testdata/transcripts are of the real controllers: Kuscia's,
// Kruise's manager, and kube-apiserver with its controller manager. The
// simulation must behave the same, except for the listed differences with their
// reasons.

var (
	kusciaDeployments = schema.GroupVersionResource{Group: "kuscia.secretflow", Version: "v1alpha1", Resource: "kusciadeployments"}
	appImages         = schema.GroupVersionResource{Group: "kuscia.secretflow", Version: "v1alpha1", Resource: "appimages"}
	rollouts          = schema.GroupVersionResource{Group: "rollouts.kruise.io", Version: "v1beta1", Resource: "rollouts"}
	batchReleases     = schema.GroupVersionResource{Group: "rollouts.kruise.io", Version: "v1beta1", Resource: "batchreleases"}
	deployments       = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	pods              = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	services          = schema.GroupVersionResource{Version: "v1", Resource: "services"}
)

// server is the server of all tests in this package that need no other one.
var server *kubetest.Server

// timeFactor is the factor of all durations in the tests.
const timeFactor = 0.05

// pollEvery is the time between two reads of a test that waits: each is a request, and the
// controllers need the processors.
const pollEvery = 30 * time.Millisecond

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	klog.SetLogger(logr.Discard())
	started, err := kubetest.Start(context.Background(), kubetest.Options{TimeFactor: timeFactor, Domains: []string{"alice", "bob"}})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	server = started
	code := m.Run()
	err = server.Close()
	if code == 0 && !testing.Short() && flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.skip").Value.String() == "" {
		err = errors.Join(err, allReplayed())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// transcripts is the folder of the recordings, replayed has the names of those that the
// tests have read.
const transcripts = "testdata/transcripts"

var replayed sync.Map

// allReplayed returns an error if there are recordings that no test has read.
func allReplayed() error {
	files, err := os.ReadDir(transcripts)
	for _, file := range files {
		if _, is := replayed.Load(file.Name()); !is {
			err = errors.Join(err, fmt.Errorf("recording %s is not replayed", file.Name()))
		}
	}
	return err
}

// client is a test's access to the API.
type client struct {
	*testing.T
	server *kubetest.Server
	dynamic.Interface
}

func newClient(t *testing.T) *client {
	t.Helper()
	return newClientOn(t, server)
}

func newClientOn(t *testing.T, server *kubetest.Server) *client {
	t.Helper()
	calls, err := dynamic.NewForConfig(server.Config("kr-test"))
	if err != nil {
		t.Fatal(err)
	}
	return &client{T: t, server: server, Interface: calls}
}

type object = map[string]any

func read[T any](t *testing.T, name string) T {
	t.Helper()
	replayed.Store(name, true)
	text, err := os.ReadFile(filepath.Join(transcripts, name))
	var recorded T
	if err = errors.Join(err, json.Unmarshal(text, &recorded)); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return recorded
}

func (w *client) in(resource schema.GroupVersionResource, namespace string) dynamic.ResourceInterface {
	if namespace == "" {
		return w.Resource(resource)
	}
	return w.Resource(resource).Namespace(namespace)
}

// get reads an object; nil if it does not exist.
func (w *client) get(resource schema.GroupVersionResource, namespace, name string) *unstructured.Unstructured {
	w.Helper()
	got, err := w.in(resource, namespace).Get(w.Context(), name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		w.Fatal(err)
	}
	return got
}

// create sends an object, which may be invalid, and returns the status and
// message of the response.
func (w *client) create(resource schema.GroupVersionResource, namespace string, content object) (code int, message string) {
	w.Helper()
	sent := &unstructured.Unstructured{Object: copied(w.T, content)}
	_, err := w.in(resource, namespace).Create(w.Context(), sent, metav1.CreateOptions{FieldValidation: "Strict"})
	return answer(err, 201)
}

// copied is an object as it is sent.
func copied[T any](t *testing.T, value T) (made T) {
	t.Helper()
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, &made)
	}
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func answer(err error, good int) (code int, message string) {
	if err == nil {
		return good, ""
	}
	if status, ok := err.(apierrors.APIStatus); ok {
		return int(status.Status().Code), status.Status().Message
	}
	return 0, err.Error()
}

func (w *client) patch(resource schema.GroupVersionResource, namespace, name string, patch any, subresources ...string) (code int, message string) {
	w.Helper()
	text, err := json.Marshal(patch)
	if err != nil {
		w.Fatal(err)
	}
	kind := types.MergePatchType
	if _, list := patch.([]any); list {
		kind = types.JSONPatchType
	}
	_, err = w.in(resource, namespace).Patch(w.Context(), name, kind, text, metav1.PatchOptions{}, subresources...)
	return answer(err, 200)
}

// ok fails unless a request has succeeded.
func (w *client) ok(code int, message string) {
	w.Helper()
	if code != 200 && code != 201 {
		w.Fatalf("%d: %s", code, message)
	}
}

func (w *client) delete(resource schema.GroupVersionResource, namespace, name string) {
	w.Helper()
	if err := w.in(resource, namespace).Delete(w.Context(), name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
		w.Fatal(err)
	}
}

// eventually waits until there are no differences, and fails with the remaining
// differences after a timeout.
func (w *client) eventually(what string, difference func() string) {
	w.Helper()
	if problem := until(3*time.Minute, difference); problem != "" {
		w.Fatalf("%s: %s", what, problem)
	}
}

// until waits until there are no differences, and returns the remaining ones after a
// timeout.
func until(timeout time.Duration, difference func() string) (problem string) {
	for deadline := time.Now().Add(timeout); time.Now().Before(deadline); time.Sleep(pollEvery) {
		if problem = difference(); problem == "" {
			return ""
		}
	}
	return problem
}

func mainContainer() object {
	return object{"name": "main", "workingDir": "/work", "ports": []any{portOf("service", "Domain"), portOf("communication", "Cluster")}}
}

// appImage creates the app image of the recordings: kr-img-v1 has image
// example/kr:v1 and four pods.
func (w *client) appImage(name, image, tag string, replicas int, change func(container object)) {
	w.Helper()
	container := mainContainer()
	if change != nil {
		change(container)
	}
	w.createAppImage(name, image, tag, object{"name": "t", "replicas": replicas}, container)
}

func (w *client) createAppImage(name, image, tag string, template, container object) {
	w.Helper()
	template["spec"] = object{"containers": []any{container}}
	code, message := w.create(appImages, "", object{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "AppImage", "metadata": object{"name": name},
		"spec": object{"image": object{"name": image, "tag": tag}, "deployTemplates": []any{template}},
	})
	// In the recordings the controller had always noticed an app image, because the
	// KusciaDeployments were created manually.
	if code != 201 && code != 409 {
		w.Fatalf("app image %s: %s", name, message)
	}
	w.eventually("app image "+name, func() string { return differences(w.server.HasAppImage(name), true) })
}

func (w *client) appImages() {
	w.Helper()
	for _, version := range []string{"v1", "v2", "v3"} {
		w.appImage("kr-img-"+version, "example/kr", version, 4, nil)
	}
	w.appImage("kr-img-broken", "example/broken", "vb", 4, nil)
	w.createAppImage("roles-image", "example/roles", "1", object{"name": "srv", "role": "server", "replicas": 1}, mainContainer())
}

func kusciaDeployment(name string, spec any) object {
	return object{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "KusciaDeployment",
		"metadata": object{"name": name}, "spec": spec,
	}
}

// check fails for a recording that does not hold, unless it is listed as different with a reason.
func (w *client) check(name, problem string) {
	w.Helper()
	reason, listed := differ[name]
	switch {
	case problem == "" && listed:
		w.Errorf("%s: holds, and is listed (%s)", name, reason)
	case problem != "" && listed:
		w.Logf("listed: %s: %s", name, reason)
	case problem != "":
		w.Errorf("%s: %s", name, problem)
	}
}

// differ are the recordings that the simulation differs from.
var differ = map[string]string{
	"replicas 1.5 float": words, "pause duration {} (docs)": words, "dup header names": words,
	"name kr-aaaaa.. len 64": "Kuscia makes the Services of a party in random order; the recording has another one first",
}

const words = "Kubernetes' own words, which are others in the version here"

var address = regexp.MustCompile(`0x[0-9a-f]+`)

// same compares texts, ignoring memory addresses.
func same(got, want string) string {
	got, want = address.ReplaceAllString(got, "0x"), address.ReplaceAllString(want, "0x")
	// Messages of another Kubernetes version.
	want = strings.ReplaceAll(want, `<nil>: Invalid value: "null": some`, `<nil>: Invalid value: null: some`)
	if got == want {
		return ""
	}
	return fmt.Sprintf("got\n\t%s\nwant\n\t%s", got, want)
}

// differences compares values after a JSON round trip, ignoring nulls.
func differences(got, want any) string {
	got, want = normal(got), normal(want)
	if reflect.DeepEqual(got, want) {
		return ""
	}
	g, _ := json.Marshal(got)
	w, _ := json.Marshal(want)
	return fmt.Sprintf("got\n\t%s\nwant\n\t%s", g, w)
}

func normal(value any) any {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	var made any
	if err := json.Unmarshal(text, &made); err != nil {
		return err.Error()
	}
	return withoutNulls(made)
}

func withoutNulls(value any) any {
	switch v := value.(type) {
	case object:
		made := object{}
		for name, one := range v {
			if one != nil {
				made[name] = withoutNulls(one)
			}
		}
		return made
	case []any:
		made := make([]any, len(v))
		for i, one := range v {
			made[i] = withoutNulls(one)
		}
		return made
	}
	return value
}

// The response to every recorded spec is the same, in the words of the webhook
// or of Kubernetes.
func TestInvalidRollouts(t *testing.T) {
	t.Parallel()
	type recordedCase struct {
		Case        string
		Strategy    any
		WorkloadRef any
		HTTP        int
		Message     string
	}
	w := newClient(t)
	for i, recorded := range read[[]recordedCase](t, "3-invalid-specs.json") {
		name, namespace := "kr-inv", "alice"
		spec := object{"strategy": recorded.Strategy, "workloadRef": recorded.WorkloadRef}
		if recorded.WorkloadRef == nil {
			spec["workloadRef"] = object{"apiVersion": "apps/v1", "kind": "Deployment", "name": fmt.Sprintf("none-%d", i)}
		}
		switch recorded.Case {
		case "no strategy":
			delete(spec, "strategy")
		case `disabled "yes"`:
			spec["disabled"], spec["strategy"] = "yes", strategyOf(byPartition, step(1, nil))
		case "namespace missing":
			namespace, spec["strategy"] = "nope-ns", strategyOf(byPartition, step(1, nil))
		}
		for begin, other := range map[string]string{
			"name 64": "kr-" + strings.Repeat("a", 61), "name with dot": "kr-a.b", "name 254": "kr-" + strings.Repeat("a", 251), "name upper": "kr-A",
		} {
			if strings.HasPrefix(recorded.Case, begin) {
				name = other
			}
		}
		code, message := w.create(rollouts, namespace, object{
			"apiVersion": "rollouts.kruise.io/v1beta1", "kind": "Rollout", "metadata": object{"name": name}, "spec": spec,
		})
		want := recorded.Message
		if want == "ACCEPTED" {
			want = ""
		}
		problem := same(message, want)
		if code != recorded.HTTP {
			problem = fmt.Sprintf("%d, want %d: %s", code, recorded.HTTP, message)
		}
		w.check(recorded.Case, problem)
		if code == 201 {
			w.forceDelete(rollouts, namespace, name)
		}
	}
}

// forceDelete also removes finalizers.
func (w *client) forceDelete(resource schema.GroupVersionResource, namespace, name string) {
	w.Helper()
	w.delete(resource, namespace, name)
	w.eventually("deleting "+name, func() string {
		there := w.get(resource, namespace, name)
		if there == nil {
			return ""
		}
		if len(there.GetFinalizers()) > 0 && !strings.HasPrefix(nested(there, "spec", "workloadRef", "apiVersion"), "apps/v1") {
			w.patch(resource, namespace, name, object{"metadata": object{"finalizers": nil}})
		}
		return "still there"
	})
}

func nested(o *unstructured.Unstructured, fields ...string) string {
	text, _, _ := unstructured.NestedString(o.Object, fields...)
	return text
}

// kdCase is a recorded create or update of a KusciaDeployment.
type kdCase struct {
	Case     string
	HTTP     int
	Message  string
	Patch    any
	Timeline []struct {
		Phase, Reason, Message         *string
		TotalParties, AvailableParties *int
		Gen                            *int
		Parties                        any
	}
	SpecAfter any `json:"spec_after"`
	Children  map[string][]string
}

// settled compares a KusciaDeployment with the end of a recording.
func (w *client) settled(name string, recorded kdCase, counts int) string {
	w.Helper()
	kd := w.get(kusciaDeployments, "cross-domain", name)
	if kd == nil {
		return "gone"
	}
	last := recorded.Timeline[len(recorded.Timeline)-1]
	got := object{"parties": object{}}
	for _, field := range []string{"phase", "reason", "message"} {
		if text := nested(kd, "status", field); text != "" {
			got[field] = text
		}
	}
	if status, ok := kd.Object["status"].(object); ok {
		got["totalParties"], got["availableParties"] = status["totalParties"], status["availableParties"]
		parties, _ := status["partyDeploymentStatuses"].(object)
		got["parties"] = shownParties(parties, counts)
	}
	want := object{
		"phase": last.Phase, "reason": last.Reason, "message": last.Message,
		"totalParties": last.TotalParties, "availableParties": last.AvailableParties, "parties": last.Parties,
	}
	if problem := differences(got, want); problem != "" {
		return problem
	}
	if recorded.SpecAfter != nil && recorded.SpecAfter != "unchanged" {
		if problem := differences(kd.Object["spec"], recorded.SpecAfter); problem != "" {
			return "spec: " + problem
		}
	}
	return w.sameChildren(name, recorded.Children)
}

// shownParties returns the phase and counts of each Deployment, in the form of
// the recordings.
func shownParties(parties object, counts int) object {
	shown := object{}
	for domain, all := range parties {
		of := object{}
		for name, one := range all.(object) {
			party := one.(object)
			of[name] = []any{party["phase"], party["availableReplicas"]}
			if counts == 3 {
				of[name] = []any{party["phase"], party["replicas"], party["updatedReplicas"], party["availableReplicas"]}
			}
		}
		shown[domain] = of
	}
	return shown
}

func (w *client) sameChildren(name string, want map[string][]string) string {
	w.Helper()
	got := map[string][]string{}
	for kind, resource := range map[string]schema.GroupVersionResource{"deploy": deployments, "svc": services} {
		list, err := w.Resource(resource).List(w.Context(), metav1.ListOptions{LabelSelector: "kuscia.secretflow/kd-name=" + name})
		if err != nil {
			w.Fatal(err)
		}
		for _, item := range list.Items {
			got[kind] = append(got[kind], item.GetNamespace()+"/"+item.GetName())
		}
		slices.Sort(got[kind])
	}
	return differences(got, want)
}

var recordedName = regexp.MustCompile(`kr-k-[a-z0-9]+`)

func TestKusciaDeploymentsAreCreated(t *testing.T) {
	t.Parallel()
	newClient(t).appImages()
	t.Run("cases", func(t *testing.T) {
		for i, recorded := range slices.Concat(read[[]kdCase](t, "5-kd-crd-cases.json"), read[[]kdCase](t, "5-kd-crd-updates.json")) {
			send, known := kdRequests[recorded.Case] // others are updates, or show the same
			if known && (recorded.Case == "container without name" || !strings.Contains(recorded.Message, "workingDir: Required value")) {
				t.Run(recorded.Case, func(t *testing.T) {
					t.Parallel()
					patience := time.Minute
					if differ[recorded.Case] != "" {
						patience = 2 * time.Second
					}
					text, _ := json.Marshal(recorded) // decoded JSON always marshals
					name := cmp.Or(send.name, string(recordedName.Find(text)), fmt.Sprint("kr-k-", i))
					w := newClient(t)
					w.check(recorded.Case, w.tryKusciaDeployment(name, send, recorded, patience))
				})
			}
		}
	})
}

// tryKusciaDeployment creates the KusciaDeployment of a recording, and compares the response and the
// later state.
func (w *client) tryKusciaDeployment(name string, send kdRequest, recorded kdCase, patience time.Duration) (problem string) {
	w.Helper()
	namespace := cmp.Or(send.namespace, "cross-domain")
	if send.prepare != nil {
		send.prepare(w)
	}
	code, message := w.create(kusciaDeployments, namespace, kusciaDeployment(name, normal(send.spec())))
	defer w.delete(kusciaDeployments, namespace, name)
	switch {
	case code != recorded.HTTP:
		return fmt.Sprintf("%d, want %d: %s", code, recorded.HTTP, message)
	case code != 201:
		return same(message, recorded.Message)
	case send.namespace != "":
		return ""
	}
	return until(patience, func() string { return w.settled(name, recorded, 2) })
}

// A KusciaDeployment and its Deployments change as recorded after each patch,
// including failures that Kuscia does not report.
func TestKusciaDeploymentsAreUpdated(t *testing.T) {
	t.Parallel()
	w := newClient(t)
	w.appImages()
	const name = "kr-u1"
	w.ok(w.create(kusciaDeployments, "cross-domain", object{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "KusciaDeployment",
		"metadata": object{"name": name, "labels": object{"my": "l"}, "annotations": object{"my/a": "x"}},
		"spec": object{"initiator": "alice", "inputConfig": `{"a":1}`, "parties": []any{
			object{"domainID": "alice", "appImageRef": "kr-img-v1", "template": object{"replicas": 2, "spec": object{"containers": []any{
				object{"name": "main", "workingDir": "/work", "resources": object{"requests": object{"cpu": "100m"}, "limits": object{"cpu": "1000m"}}},
			}}}},
			object{"domainID": "bob", "appImageRef": "kr-img-v1"},
		}},
	}))
	for _, recorded := range read[[]kdCase](t, "5-kd-crd-updates.json") {
		if recorded.Case != "base for updates" && !strings.HasPrefix(recorded.Case, "UPDATE ") {
			continue
		}
		counts := 2
		if recorded.Patch != nil {
			counts = 3
			code, message := w.patch(kusciaDeployments, "cross-domain", name, recorded.Patch)
			if code != recorded.HTTP || code != 200 {
				problem := same(message, recorded.Message)
				if code != recorded.HTTP {
					problem = fmt.Sprintf("%d, want %d: %s", code, recorded.HTTP, message)
				}
				w.check(recorded.Case, problem)
				continue
			}
		}
		problem := until(time.Minute, func() string {
			if problem := w.settled(name, recorded, counts); problem != "" {
				return problem
			}
			if gen := recorded.Timeline[len(recorded.Timeline)-1].Gen; gen != nil && w.get(kusciaDeployments, "cross-domain", name).GetGeneration() != int64(*gen) {
				return "another generation"
			}
			return ""
		})
		w.check(recorded.Case, problem)
	}
	w.delete(kusciaDeployments, "cross-domain", name)
	w.eventually("nothing left", func() string { return w.sameChildren(name, map[string][]string{}) })
}
