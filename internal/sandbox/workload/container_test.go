package workload

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// crashes is an application that ends a number of times, and then runs.
type crashes struct{ left *int }

func (c crashes) Start(string, *objects.PodTemplate, int) Outcome {
	if *c.left == 0 {
		return Outcome{}
	}
	*c.left--
	return Outcome{Ended: &Terminated{ExitCode: 255, Reason: ReasonError, Message: "no"}}
}

func oneReplica(template Template) *Deployment {
	return &Deployment{Spec: Spec{Namespace: "alice", Name: "d", UID: "u", Replicas: 1, Bounds: bounds("1", "0"), Template: template, Deadline: DefaultDeadline, HistoryLimit: DefaultHistoryLimit}}
}

// TestBackOff has the times of the kubelet: the first restart is at once, then it waits for ten
// seconds, and twice as long each time, up to five minutes.
func TestBackOff(t *testing.T) {
	timing := Timing{Start: time.Second, BackOff: 10 * time.Second, Second: time.Second}
	began, left := time.Unix(0, 0), 9
	now, d, starter := began, oneReplica(template("h")), crashes{&left}
	var seen []string
	for range 100 {
		next := soonest(RunPods(d, now, timing, starter), Roll(d, now, timing))
		if len(d.Sets) == 1 && len(d.Sets[0].Pods) == 1 {
			c := d.Sets[0].Pods[0].Containers[0]
			text := fmt.Sprintf("%s: %d", now.Sub(began), c.Restarts)
			switch {
			case c.Waiting != nil:
				text += " " + c.Waiting.Reason + " " + strings.TrimSuffix(c.Waiting.Message, " failed container=main pod="+d.Sets[0].Pods[0].Name+"_alice("+d.Sets[0].Pods[0].UID+")")
			case c.Terminated != nil:
				text += " ended"
			case c.Ready:
				text += " ready"
			default:
				text += " runs"
			}
			if len(seen) == 0 || seen[len(seen)-1] != text {
				seen = append(seen, text)
			}
			if c.Ready {
				break
			}
		}
		if now = next; next.IsZero() {
			break
		}
	}
	want := []string{
		"0s: 0 ContainerCreating ", "1s: 0 ended",
		"2s: 1 ended", "3s: 1 CrashLoopBackOff back-off 10s restarting",
		"12s: 2 ended", "13s: 2 CrashLoopBackOff back-off 20s restarting",
		"32s: 3 ended", "33s: 3 CrashLoopBackOff back-off 40s restarting",
		"1m12s: 4 ended", "1m13s: 4 CrashLoopBackOff back-off 1m20s restarting",
		"2m32s: 5 ended", "2m33s: 5 CrashLoopBackOff back-off 2m40s restarting",
		"5m12s: 6 ended", "5m13s: 6 CrashLoopBackOff back-off 5m0s restarting",
		"10m12s: 7 ended", "10m13s: 7 CrashLoopBackOff back-off 5m0s restarting",
		"15m12s: 8 ended", "15m13s: 8 CrashLoopBackOff back-off 5m0s restarting",
		"20m12s: 9 runs", "20m13s: 9 ready",
	}
	// The deadline of the Deployment is between them.
	seen = slices.CompactFunc(seen, func(a, b string) bool {
		_, a, _ = strings.Cut(a, ": ")
		_, b, _ = strings.Cut(b, ": ")
		return a == b
	})
	if !slices.Equal(seen, want) {
		t.Errorf("seen\n%s\nwant\n%s", strings.Join(seen, "\n"), strings.Join(want, "\n"))
	}
}

// TestCrashesEnd: however often containers end, with any timing, all pods run in the end, and the
// restarts are the ends.
func TestCrashesEnd(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		left := rapid.IntRange(0, 12).Draw(rt, "ends")
		ends := left
		timing := timings[rapid.SampledFrom([]string{"memory", "API server"}).Draw(rt, "store")]
		timing.BackOff = time.Duration(rapid.IntRange(0, 20_000).Draw(rt, "back-off")) * time.Millisecond
		d, starter := oneReplica(template("h")), crashes{&left}
		now := time.Unix(0, 0)
		for range 1000 {
			next := soonest(RunPods(d, now, timing, starter), Roll(d, now, timing))
			if next.IsZero() {
				break
			}
			now = now.Add(max(next.Sub(now), 0))
		}
		if d.Status.AvailableReplicas != 1 || d.Sets[0].Pods[0].Containers[0].Restarts != int32(ends) {
			rt.Errorf("%+v %+v", d.Status, d.Sets[0].Pods)
		}
	})
}

// TestNeverReady has the pods that do not become ready although their application runs.
func TestNeverReady(t *testing.T) {
	container := objects.PodContainer{Name: "main", Image: "example/one:1", Ports: []objects.ContainerPort{{Name: "http"}}}
	probe := func(port string) *objects.Probe {
		return &objects.Probe{HTTPGet: &objects.HTTPGet{Port: intstr.FromString(port)}}
	}
	for name, test := range map[string]struct {
		change func(c *objects.PodContainer)
		ready  bool
		says   string
	}{
		"no probe":          {func(*objects.PodContainer) {}, true, ""},
		"a probe of a port": {func(c *objects.PodContainer) { c.ReadinessProbe, c.StartupProbe = probe("http"), probe("http") }, true, ""},
		"a probe of a number": {func(c *objects.PodContainer) {
			c.ReadinessProbe = &objects.Probe{TCPSocket: &objects.TCPSocket{Port: intstr.FromInt32(80)}}
		}, true, ""},
		"a readiness probe of no port": {func(c *objects.PodContainer) { c.ReadinessProbe = probe("https") }, false, ""},
		"a startup probe of no port": {func(c *objects.PodContainer) {
			c.StartupProbe = &objects.Probe{TCPSocket: &objects.TCPSocket{Port: intstr.FromString("https")}}
		}, false, ""},
		"a liveness probe of no port": {func(c *objects.PodContainer) { c.LivenessProbe = probe("https") }, true, ""},
		"more than a node has": {func(c *objects.PodContainer) {
			c.Resources.Limits = map[string]resource.Quantity{"cpu": resource.MustParse("1M"), "memory": resource.MustParse("1Gi")}
		}, false, "0/1 nodes are available: 1 Insufficient cpu."},
	} {
		t.Run(name, func(t *testing.T) {
			c := container
			test.change(&c)
			d := oneReplica(Template{Hash: "h", Pod: objects.PodTemplate{Spec: objects.PodSpec{Containers: []objects.PodContainer{c}}}})
			run(d, time.Unix(0, 0), timings["memory"], never)
			if pod := d.Sets[0].Pods[0]; pod.Ready != test.ready || pod.Unschedulable != test.says {
				t.Errorf("%+v", pod)
			}
		})
	}
}
