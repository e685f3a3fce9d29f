package sandbox

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/workload"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secretflow/secretflowtest"
)

// failing is a serving whose pods do not run, and how.
type failing struct {
	// of changes the documented serving, which runs.
	of func(t *testing.T, a *secretflowtest.Answer)
	// alice and bob are what their pods show in the end, status is that of the serving.
	alice, bob, status string
}

const runsWell = "Running secretflow: ready"

// failures are the ways in which pods do not run.
func failures() map[string]failing {
	container := func(a *secretflowtest.Answer) *kuscia.Container { return &a.AppImage.DeployTemplates[0].Containers[0] }
	const crashed = "waiting CrashLoopBackOff (back-off TIME restarting failed container=secretflow pod=POD), last Error 255 ("
	const looping = "Progressing domainID: %s, reason: CrashLoopBackOff; back-off TIME restarting failed container=secretflow pod=POD"
	return map[string]failing{
		"none": {func(*testing.T, *secretflowtest.Answer) {}, runsWell, runsWell, "Available ; "},
		"a crash loop": {
			func(t *testing.T, a *secretflowtest.Answer) { *a = crashing(t) },
			runsWell, "Running secretflow: " + crashed + strings.TrimSpace(crashMessage) + ")", fmt.Sprintf(looping, "bob"),
		},
		"a config template that cannot be parsed": {
			func(_ *testing.T, a *secretflowtest.Answer) { a.AppImage.ConfigTemplates["trace-config.conf"] = "{{.X" },
			"Pending secretflow: waiting CreateContainerConfigError (failed to handle make mounts context: failed to render config template file \"trace-config.conf\", detail-> failed to parse config template, detail-> template: config-template:1: unclosed action)",
			"", "",
		},
		"an image that cannot be pulled": {
			func(_ *testing.T, a *secretflowtest.Answer) { a.AppImage.Image.Name = "example/broken" },
			`Pending secretflow: waiting ImagePullBackOff (Back-off pulling image "example/broken:latest")`, "", "",
		},
		"a probe that never succeeds": {
			func(_ *testing.T, a *secretflowtest.Answer) { container(a).ReadinessProbe.HTTPGet.Port = "health" },
			"Running secretflow: not ready", "", "Progressing ; ",
		},
		"no node": {
			func(_ *testing.T, a *secretflowtest.Answer) {
				container(a).Resources = &kuscia.ResourceRequirements{Requests: &kuscia.ResourceSpec{CPU: "5000", Memory: "65Ti"}}
			},
			"Pending 0/1 nodes are available: 1 Insufficient cpu, 1 Insufficient memory.", "", "Progressing ; ",
		},
		"no value in the configuration": {
			func(_ *testing.T, a *secretflowtest.Answer) {
				a.Serving.ServingInputConfig = strings.ReplaceAll(a.Serving.ServingInputConfig, "ST_FILE", "ST_OSS")
			},
			"Running secretflow: " + crashed + "server startup failed, code: 3, msg: get empty `oss_meta`)", "", "",
		},
		"two parties that fail differently": {
			func(t *testing.T, a *secretflowtest.Answer) {
				*a = crashing(t)
				a.Serving.Parties[0].AppImage = "broken"
			},
			`Pending secretflow: waiting ImagePullBackOff (Back-off pulling image "example/broken:1")`,
			"Running secretflow: " + crashed + strings.TrimSpace(crashMessage) + ")", "",
		},
	}
}

// TestPodsThatDoNotRun: pods that do not run show why, in memory and to a client of an API
// server, and so does the serving.
func TestPodsThatDoNotRun(t *testing.T) {
	api := apiServer(t)
	stored := api.Objects()
	clean := stored.Record()
	t.Cleanup(func() { must(t, clean()) })
	inMemory := startSandbox(t, Options{Timing: cluster.RealTiming(), FrozenClock: true})
	inServer := startSandbox(t, Options{API: stored})
	client, err := dynamic.NewForConfig(api.Config)
	must(t, err)
	pods := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "pods"})
	sandboxes := []*Sandbox{inMemory, inServer}
	servings := map[string]kuscia.CreateServingRequest{}
	for name, f := range failures() {
		id := fmt.Sprintf("serving-%d", len(servings))
		a := documented(t)
		f.of(t, &a)
		a.AppImage.Name, a.Serving.ServingID = id, id
		a.AppImage.Image.Tag = "latest"
		for i := range a.Serving.Parties {
			a.Serving.Parties[i].AppImage = strings.Replace(a.Serving.Parties[i].AppImage, "secretflow-serving-image", id, 1)
		}
		broken := documented(t).AppImage
		broken.Name, broken.Image = "broken", kuscia.AppImageInfo{Name: "example/broken", Tag: "1"}
		for _, s := range sandboxes {
			must(t, s.PutAppImage(broken))
			must(t, s.PutAppImage(a.AppImage))
		}
		servings[name] = a.Serving
	}
	// A controller that does not know an app image yet gives up, as that of Kuscia does.
	time.Sleep(time.Second)
	for name, f := range failures() {
		id := servings[name].ServingID
		t.Run(name, func(t *testing.T) {
			if f.bob == "" {
				f.bob = f.alice
			}
			for _, s := range sandboxes {
				eventually(t, "the images are known", func() error { return s.PutServing(servings[name]) })
			}
			inMemory.Advance(12 * time.Second)
			for domain, want := range map[string]string{"alice": f.alice, "bob": f.bob} {
				if got := podShown(podsOf(inMemory, id, domain)); got != want {
					t.Errorf("in memory, %s: %s, want %s", domain, got, want)
				}
				eventually(t, "in the API server, "+domain, func() error {
					list, err := pods.Namespace(domain).List(t.Context(), metav1.ListOptions{LabelSelector: "kuscia.secretflow/kd-name=" + id})
					if err != nil {
						return err
					}
					text, err := list.MarshalJSON()
					if err != nil {
						return err
					}
					if got := storedPodShown(text); got != want {
						return fmt.Errorf("%s, want %s", got, want)
					}
					return nil
				})
			}
			for _, s := range []*Sandbox{inMemory, inServer} {
				eventually(t, "the status", func() error {
					status := statusOf(s, id)
					if status == nil {
						return fmt.Errorf("there is none")
					}
					got := withoutNames(status.State + " " + status.Reason + "; " + status.Message)
					if f.status != "" && got != f.status {
						return fmt.Errorf("%s, want %s", got, f.status)
					}
					return nil
				})
			}
			must(t, inMemory.RemoveServing(id))
			must(t, inServer.RemoveServing(id))
		})
	}
}

// TestCrashingPodsRecoverInServer: the pod of an API server that crashes runs after its next
// restart, once the configuration has what it needs.
func TestCrashingPodsRecoverInServer(t *testing.T) {
	api := apiServer(t)
	stored := api.Objects()
	clean := stored.Record()
	t.Cleanup(func() { must(t, clean()) })
	s := startSandbox(t, Options{API: stored})
	a := documented(t)
	a.Serving.ServingInputConfig = strings.ReplaceAll(a.Serving.ServingInputConfig, "ST_FILE", "ST_OSS")
	a.AppImage.Image.Tag = "latest"
	must(t, s.PutAppImage(a.AppImage))
	eventually(t, "the image is known", func() error { return s.PutServing(a.Serving) })
	state := func(want string) func() error {
		return func() error {
			if status := statusOf(s, "serving-1"); status == nil || !strings.HasSuffix(status.State+" "+status.Reason, want) {
				return fmt.Errorf("%+v", status)
			}
			return nil
		}
	}
	eventually(t, "it crashes", state("CrashLoopBackOff"))
	client, err := dynamic.NewForConfig(api.Config)
	must(t, err)
	pods := func() (names []string) {
		for _, domain := range []string{"alice", "bob"} {
			list, err := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}).Namespace(domain).
				List(t.Context(), metav1.ListOptions{LabelSelector: "kuscia.secretflow/kd-name=serving-1"})
			must(t, err)
			for _, pod := range list.Items {
				names = append(names, pod.GetName())
			}
		}
		return names
	}
	before := pods()
	for _, domain := range []string{"alice", "bob"} {
		putConfig(t, s, domain, map[string]string{"SERVING_OSS_META": `{"accessKey":"a","secretKey":"s","endpoint":"http://e","bucket":"b"}`})
	}
	eventually(t, "it runs", state("Available "))
	if after := pods(); len(after) != 2 || !slices.Equal(before, after) {
		t.Errorf("before %v, after %v", before, after)
	}
}

var (
	backOffs = regexp.MustCompile(`back-off \S+`)
	podNames = regexp.MustCompile(`pod=serving-\S+-\S+-\S+_\S+\(\S+\)`)
)

// withoutNames replaces what differs between pods.
func withoutNames(text string) string {
	return podNames.ReplaceAllString(backOffs.ReplaceAllString(text, "back-off TIME"), "pod=POD")
}

// podShown is what the one pod in memory shows.
func podShown(pods []workload.Pod) string {
	if len(pods) != 1 {
		return fmt.Sprintf("%d pods", len(pods))
	}
	if pods[0].Unschedulable != "" {
		return "Pending " + pods[0].Unschedulable
	}
	c := pods[0].Containers[0]
	phase, text := "Running", map[bool]string{true: "ready", false: "not ready"}[c.Ready]
	if c.Terminated != nil {
		text = "ended"
	}
	if c.Waiting != nil {
		text = fmt.Sprintf("waiting %s (%s)", c.Waiting.Reason, withoutNames(c.Waiting.Message))
		if c.Last == nil {
			phase = "Pending"
		}
	}
	if c.Last != nil {
		text += fmt.Sprintf(", last %s %d (%s)", c.Last.Reason, c.Last.ExitCode, strings.TrimSpace(c.Last.Message))
	}
	return fmt.Sprintf("%s %s: %s", phase, c.Name, text)
}

// storedPodShown is what the one pod of a list of an API server shows.
func storedPodShown(text []byte) string {
	type state struct {
		Waiting    *struct{ Reason, Message string }
		Terminated *struct {
			ExitCode        int
			Reason, Message string
		}
	}
	var list struct {
		Items []struct {
			Status struct {
				Phase             string
				Conditions        []struct{ Type, Status, Reason, Message string }
				ContainerStatuses []struct {
					Name             string
					Ready            bool
					RestartCount     int
					State, LastState state
				}
			}
		}
	}
	if err := json.Unmarshal(text, &list); err != nil || len(list.Items) != 1 {
		return fmt.Sprintf("%d pods, %v", len(list.Items), err)
	}
	status := list.Items[0].Status
	for _, c := range status.Conditions {
		if c.Type == "PodScheduled" && c.Status == "False" && c.Reason == "Unschedulable" {
			return status.Phase + " " + c.Message
		}
	}
	if len(status.ContainerStatuses) == 0 {
		return "no containers"
	}
	c := status.ContainerStatuses[0]
	shown := map[bool]string{true: "ready", false: "not ready"}[c.Ready]
	if c.State.Terminated != nil {
		shown = "ended"
	}
	if w := c.State.Waiting; w != nil {
		shown = fmt.Sprintf("waiting %s (%s)", w.Reason, withoutNames(w.Message))
	}
	if last := c.LastState.Terminated; last != nil {
		shown += fmt.Sprintf(", last %s %d (%s)", last.Reason, last.ExitCode, strings.TrimSpace(last.Message))
		if c.RestartCount == 0 {
			shown += ", without a restart"
		}
	}
	return fmt.Sprintf("%s %s: %s", status.Phase, c.Name, shown)
}
