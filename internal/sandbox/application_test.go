package sandbox

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/serving"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/workload"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/secretflow/secretflowtest"
)

// documented is the documented serving, which runs.
func documented(t testing.TB) secretflowtest.Answer {
	t.Helper()
	return secretflowtest.Answers(t)[0]
}

// putAnswer creates the app image, with a tag, the configuration and the serving of an answer.
func putAnswer(t testing.TB, s *Sandbox, a secretflowtest.Answer, tag string) {
	t.Helper()
	a.AppImage.Image.Tag = tag
	must(t, s.PutAppImage(a.AppImage))
	if len(a.Config) > 0 {
		putConfig(t, s, a.Party, a.Config)
	}
	must(t, s.PutServing(a.Serving))
}

// putConfig replaces the configuration of a domain, as its node does.
func putConfig(t testing.TB, s *Sandbox, domain string, entries map[string]string) {
	t.Helper()
	defer s.node.ControlPlane.Acquire()()
	table := server.TableOf[objects.ConfigMap](s.node.ControlPlane)
	config := &objects.ConfigMap{Meta: objects.Meta{Namespace: domain, Name: objects.DomainConfig}, Data: map[string]string{}}
	for key, value := range entries {
		config.Data[key] = objects.Encrypt(domain, value)
	}
	if there := table.Get(domain, objects.DomainConfig); there != nil {
		there.Data = config.Data
		must(t, table.Update(there))
		return
	}
	must(t, table.Create(config))
}

// podsOf are copies of the pods of a party in memory, of all ReplicaSets.
func podsOf(s *Sandbox, id, domain string) (pods []workload.Pod) {
	defer s.node.ControlPlane.Acquire()()
	d := serving.Of(s.node.ControlPlane).Memory().Simulated(cluster.Key{Namespace: domain, Name: id})
	if d == nil {
		return nil
	}
	for _, set := range d.Workload.Sets {
		for _, p := range set.Pods {
			pods = append(pods, *p)
		}
	}
	return pods
}

// TestRecordedAnswersInPods starts a pod for each recorded answer: one that was accepted runs,
// another one ends with the recorded message.
func TestRecordedAnswersInPods(t *testing.T) {
	started := 0
	for _, a := range secretflowtest.Answers(t) {
		if a.ID == refusedPortName {
			continue
		}
		for _, result := range a.Results {
			tag := result.Tags[0]
			if tag == "HEAD" {
				tag = "0.10.0b0"
			}
			var domains []string
			for _, p := range a.Serving.Parties {
				domains = append(domains, p.DomainID)
			}
			slices.Sort(domains)
			s := startSandbox(t, Options{FrozenClock: true, Timing: cluster.RealTiming(), Domains: slices.Compact(domains)})
			putAnswer(t, s, a, tag)
			s.Advance(1500 * time.Millisecond)
			pods := podsOf(s, a.Serving.ServingID, a.Party)
			if len(pods) != 1 {
				kd, _ := s.KusciaDeployment(a.Serving.ServingID)
				t.Errorf("%d %s: %d pods %+v", a.ID, a.Name, len(pods), kd.Status)
				continue
			}
			started++
			if got, want := describe(pods[0].Containers[0]), recordedEnd(a.ID, result.Accepted, result.Stage, result.Code); got != want {
				t.Errorf("%d %s, %s: %s, want %s: %s", a.ID, a.Name, tag, got, want, result.Error)
			}
			if c := pods[0].Containers[0]; c.Terminated != nil && c.Terminated.ExitCode == 255 && tag != "0.10.0b0" {
				_, said, _ := strings.Cut(strings.TrimSpace(c.Terminated.Message), "msg:")
				if !strings.Contains(result.Error, strings.TrimSpace(said)) {
					t.Errorf("%d %s, %s: it says %q, recorded is %q", a.ID, a.Name, tag, c.Terminated.Message, result.Error)
				}
			}
			must(t, s.Close())
		}
	}
	if started < 224 {
		t.Errorf("%d pods were started", started)
	}
}

// describe is the state of a container without its message.
func describe(c workload.Container) string {
	switch {
	case c.Waiting != nil:
		return c.Waiting.Reason
	case c.Terminated != nil:
		code := ""
		if _, text, coded := strings.Cut(c.Terminated.Message, "code: "); coded {
			code, _, _ = strings.Cut(text, ",")
		}
		return fmt.Sprintf("%s %d %s", c.Terminated.Reason, c.Terminated.ExitCode, code)
	}
	return fmt.Sprintf("ready %t", c.Ready)
}

// Recorded answers of which Kuscia makes more, or less, than the parser.
const (
	withoutProbedPort = 8  // brpc-builtin: it runs, and no probe succeeds
	refusedPortName   = 18 // Communication: there is no Service and no pod
	crashedParser     = 39 // signal 11
)

// recordedEnd is what describe says for a recorded result.
func recordedEnd(id int, accepted bool, stage string, code int) string {
	switch {
	case id == withoutProbedPort:
		return "ready false"
	case id == crashedParser:
		return "Error 139 "
	case accepted:
		return "ready true"
	case stage == "agent":
		return workload.CreateContainerConfigError
	case stage == "exec":
		return "StartError 128 "
	case stage == "command":
		return "Completed 0 "
	case code > 0:
		return fmt.Sprintf("Error 255 %d", code)
	}
	return "Error 255 "
}

// crashing is the documented serving, of which bob's container ends with a message.
func crashing(t testing.TB) secretflowtest.Answer {
	a := documented(t)
	a.Serving.ServingInputConfig = withoutSource(t, a.Serving.ServingInputConfig, "bob")
	return a
}

const crashMessage = "server startup failed, msg:no creator registered for source type: INVALID_SOURCE_TYPE\n"

// withoutSource removes the source of the model of a party from a text.
func withoutSource(t testing.TB, text, domain string) string {
	t.Helper()
	var config m
	must(t, json.Unmarshal([]byte(text), &config))
	delete(config["partyConfigs"].(m)[domain].(m)["modelConfig"].(m), "sourceType")
	changed, err := json.Marshal(config)
	must(t, err)
	return string(changed)
}

// TestCommandsInPods starts the application by the commands of a plan's test: it runs unless it is
// known that it does not.
func TestCommandsInPods(t *testing.T) {
	commands := secretflowtest.Commands(t)
	s := startSandbox(t, Options{FrozenClock: true, Timing: cluster.RealTiming()})
	for i, command := range commands {
		a := documented(t)
		a.AppImage.Name, a.Serving.ServingID, a.AppImage.Image.Name = fmt.Sprintf("app-%d", i), fmt.Sprintf("serving-%d", i), command.Image
		for n := range a.Serving.Parties {
			a.Serving.Parties[n].AppImage = a.AppImage.Name
		}
		container := &a.AppImage.DeployTemplates[0].Containers[0]
		container.Command, container.Args = command.Command, command.Args
		putAnswer(t, s, a, cmp.Or(command.Tag, "latest"))
	}
	s.Advance(1500 * time.Millisecond)
	for i, command := range commands {
		pods := podsOf(s, fmt.Sprintf("serving-%d", i), "alice")
		if len(pods) != 1 {
			t.Errorf("%s: %d pods", command.Name, len(pods))
			continue
		}
		if got := describe(pods[0].Containers[0]); (got == "ready true") != command.Runs {
			t.Errorf("%s: %s", command.Name, got)
		}
	}
}

// TestCrashLoopStatus has the status of a serving of which a party crashes, by version: before
// v0.15 it says nothing of pods, and Kuscia never calls it failed.
func TestCrashLoopStatus(t *testing.T) {
	const loop = "back-off %s restarting failed container=secretflow pod=serving-1-"
	for version, want := range map[string][]string{
		DefaultVersion: {
			"Progressing domainID: bob, reason: Error; " + crashMessage,
			"Progressing domainID: bob, reason: CrashLoopBackOff; " + fmt.Sprintf(loop, "10s"),
			"Progressing domainID: bob, reason: CrashLoopBackOff; " + fmt.Sprintf(loop, "20s"),
			"Progressing domainID: bob, reason: CrashLoopBackOff; " + fmt.Sprintf(loop, "5m0s"),
		},
		"v0.15.0b0": {
			"Progressing domainID: bob, reason: Error; " + crashMessage,
			"Progressing domainID: bob, reason: CrashLoopBackOff; " + fmt.Sprintf(loop, "10s"),
			"Progressing domainID: bob, reason: CrashLoopBackOff; " + fmt.Sprintf(loop, "20s"),
			"Progressing domainID: bob, reason: CrashLoopBackOff; " + fmt.Sprintf(loop, "5m0s"),
		},
		"v0.14.0b0": {"Progressing ; ", "Progressing ; ", "Progressing ; ", "Progressing ; "},
	} {
		t.Run(version, func(t *testing.T) {
			s := startSandbox(t, Options{FrozenClock: true, Timing: cluster.RealTiming(), Version: version})
			putAnswer(t, s, crashing(t), "latest")
			for i, after := range []time.Duration{1500 * time.Millisecond, 2500 * time.Millisecond, 10 * time.Second, time.Hour} {
				s.Advance(after)
				status := statusOf(s, "serving-1")
				got := status.State + " " + status.Reason + "; " + status.Message
				if !strings.HasPrefix(got, want[i]) || strings.HasSuffix(want[i], " ; ") && got != want[i] {
					t.Errorf("after %s: %q, want %q", after, got, want[i])
				}
				if status.AvailableParties != 1 {
					t.Errorf("%d parties are available", status.AvailableParties)
				}
			}
			for domain, want := range map[string]string{"alice": "ready true, 0 restarts", "bob": "CrashLoopBackOff, 17 restarts, last Error 255 " + crashMessage} {
				if got := history(podsOf(s, "serving-1", domain)[0].Containers[0]); got != want {
					t.Errorf("%s: %s, want %s", domain, got, want)
				}
			}
		})
	}
}

// history is the state of a container with its restarts and its last end.
func history(c workload.Container) string {
	text := fmt.Sprintf("%s, %d restarts", strings.TrimSpace(describe(c)), c.Restarts)
	if c.Last != nil {
		text += fmt.Sprintf(", last %s %d %s", c.Last.Reason, c.Last.ExitCode, c.Last.Message)
	}
	return text
}

// TestCrashingPodsRecover: what was missing makes the same pod run at its next restart, or
// replaces the pods.
func TestCrashingPodsRecover(t *testing.T) {
	const meta = `{"accessKey":"a","secretKey":"s","endpoint":"http://e","bucket":"b"}`
	right := documented(t).Serving.ServingInputConfig
	for name, test := range map[string]struct {
		tag, text, says string
		change          func(t *testing.T, s *Sandbox, a secretflowtest.Answer)
		same            bool // pod
	}{
		"an entry of the configuration": {
			tag: "latest", text: strings.Replace(right, `"sourcePath": "examples/bob/glm-test.tar.gz", "sourceType": "ST_FILE"`, `"sourcePath": "glm-test.tar.gz", "sourceType": "ST_OSS"`, 1),
			says: "code: 3, msg: get empty `oss_meta`",
			change: func(t *testing.T, s *Sandbox, _ secretflowtest.Answer) {
				putConfig(t, s, "bob", map[string]string{"SERVING_OSS_META": meta})
			}, same: true,
		},
		"a new text": {
			tag: "latest", text: withoutSource(t, right, "bob"), says: "msg:no creator registered",
			change: func(t *testing.T, s *Sandbox, _ secretflowtest.Answer) {
				must(t, ask(s, "serving/update", m{"serving_id": "serving-1", "serving_input_config": right, "parties": []m{{"domain_id": "alice"}, {"domain_id": "bob"}}}).err())
			},
		},
		"another image": {
			tag: "0.7.0b0", text: right, says: "predictorParties: Cannot find field.",
			change: func(t *testing.T, s *Sandbox, a secretflowtest.Answer) {
				a.AppImage.Name, a.AppImage.Image.Tag = "newer", "0.8.0b0"
				must(t, s.PutAppImage(a.AppImage))
				must(t, ask(s, "serving/update", m{"serving_id": "serving-1", "parties": []m{{"domain_id": "alice", "app_image": "newer"}, {"domain_id": "bob", "app_image": "newer"}}}).err())
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := startSandbox(t, Options{FrozenClock: true, Timing: cluster.RealTiming()})
			a := documented(t)
			a.Serving.ServingInputConfig = test.text
			putAnswer(t, s, a, test.tag)
			s.Advance(time.Minute)
			before := podsOf(s, "serving-1", "bob")
			if got := history(before[0].Containers[0]); !strings.HasPrefix(got, "CrashLoopBackOff, 3 restarts, last Error 255") || !strings.Contains(got, test.says) {
				t.Fatalf("%s", got)
			}
			test.change(t, s, a)
			s.Advance(time.Minute)
			after := podsOf(s, "serving-1", "bob")
			if len(after) != 1 || !after[0].Ready || (after[0].Name == before[0].Name) != test.same {
				t.Errorf("before %+v, after %+v", before, after)
			}
			if status := statusOf(s, "serving-1"); status.State != "Available" || status.Reason != "" || status.Message != "" {
				t.Errorf("%+v", status)
			}
			must(t, s.PodsRun("serving-1"))
		})
	}
}

// TestRenderingByVersion has what Kuscia's agent renders since which version, and what it looks up.
func TestRenderingByVersion(t *testing.T) {
	const meta = `{"accessKey":"a","secretKey":"s","endpoint":"http://e","bucket":"b"}`
	const empty = "Error 255 3"
	for name, test := range map[string]struct {
		version, key, want string
	}{
		"an entry":                                      {DefaultVersion, "{{.SERVING_OSS_META}}", "ready true"},
		"the first version with entries":                {"v0.12.0b0", "{{.SERVING_OSS_META}}", "ready true"},
		"a version without entries":                     {"v0.11.0b0", "{{.SERVING_OSS_META}}", empty},
		"a key with blanks":                             {DefaultVersion, "{{ .SERVING_OSS_META }}", empty},
		"a key in lower case":                           {DefaultVersion, "{{.serving_oss_meta}}", empty},
		"an unknown key":                                {DefaultVersion, "{{.OTHER}}", empty},
		"an object without escapes in a string":         {DefaultVersion, "{{{.SERVING_OSS_META}}}", empty},
		"no escapes, in a version without three braces": {"v0.10.0b0", "{{{.SERVING_OSS_META}}}", workload.CreateContainerConfigError},
	} {
		t.Run(name, func(t *testing.T) {
			s := startSandbox(t, Options{FrozenClock: true, Timing: cluster.RealTiming(), Version: test.version})
			a := documented(t)
			a.Serving.ServingInputConfig = strings.ReplaceAll(a.Serving.ServingInputConfig, "ST_FILE", "ST_OSS")
			const template = "serving-config.conf"
			a.AppImage.ConfigTemplates[template] = strings.Replace(a.AppImage.ConfigTemplates[template], "{{.SERVING_OSS_META}}", test.key, 1)
			a.Party, a.Config = "bob", map[string]string{"SERVING_OSS_META": meta}
			putAnswer(t, s, a, "latest")
			s.Advance(1500 * time.Millisecond)
			if got := describe(podsOf(s, "serving-1", "bob")[0].Containers[0]); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

// TestCrashingPartyScales: a party that crashes has the number of pods that it shall have, and
// a rollout to a text that crashes keeps the old pods.
func TestCrashingPartyScales(t *testing.T) {
	s := startSandbox(t, Options{FrozenClock: true, Timing: cluster.RealTiming()})
	putAnswer(t, s, crashing(t), "latest")
	s.Advance(time.Minute)
	must(t, ask(s, "serving/update", m{"serving_id": "serving-1", "parties": []m{{"domain_id": "alice", "replicas": 2}, {"domain_id": "bob", "replicas": 3}}}).err())
	s.Advance(time.Minute)
	if status := statusOf(s, "serving-1"); status.State != "Progressing" || len(podsOf(s, "serving-1", "bob")) != 3 || len(podsOf(s, "serving-1", "alice")) != 2 {
		t.Errorf("%+v", status)
	}
	right := documented(t).Serving.ServingInputConfig
	parties := []m{{"domain_id": "alice"}, {"domain_id": "bob"}}
	must(t, ask(s, "serving/update", m{"serving_id": "serving-1", "serving_input_config": right, "parties": parties}).err())
	s.Advance(time.Minute)
	must(t, s.PodsRun("serving-1"))
	must(t, ask(s, "serving/update", m{"serving_id": "serving-1", "serving_input_config": `{"partyConfigs":{}}`, "parties": parties}).err())
	s.Advance(time.Minute)
	ready := 0
	for _, p := range podsOf(s, "serving-1", "bob") {
		if p.Ready {
			ready++
		}
	}
	if status := statusOf(s, "serving-1"); status.State != "PartialAvailable" || ready != 3 {
		t.Errorf("%d ready, %+v", ready, status)
	}
}

// TestCrashIsRestored: pods of a restarted sandbox start again, and crash again.
func TestCrashIsRestored(t *testing.T) {
	file := t.TempDir() + "/state.json"
	s := startSandbox(t, Options{FrozenClock: true, Timing: cluster.RealTiming(), StateFile: file})
	putAnswer(t, s, crashing(t), "latest")
	s.Advance(time.Minute)
	must(t, s.Close())
	s = startSandbox(t, Options{FrozenClock: true, Timing: cluster.RealTiming(), StateFile: file})
	s.Advance(time.Minute)
	if got := history(podsOf(s, "serving-1", "bob")[0].Containers[0]); !strings.HasPrefix(got, "CrashLoopBackOff") {
		t.Errorf("%s", got)
	}
	if alice := podsOf(s, "serving-1", "alice"); !alice[0].Ready {
		t.Errorf("%+v", alice)
	}
}
