package podstatus_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party/podstatus"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/printable"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// pod is a pod of the Deployment glm, of the ReplicaSet new, with a status in JSON.
func pod(suffix, created, status string) kube.Pod {
	p := kube.Pod{Metadata: kube.Metadata{
		Name: "glm-5c7d8f9b6c-" + suffix, CreationTimestamp: "2026-11-22T00:00:" + created + "Z", Labels: map[string]string{kube.LabelPodTemplateHash: "new"},
	}}
	if err := json.Unmarshal([]byte(status), &p.Status); err != nil {
		panic(err)
	}
	return p
}

// old makes pods those of an older ReplicaSet.
func old(p kube.Pod) kube.Pod {
	p.Metadata.Labels = map[string]string{kube.LabelPodTemplateHash: "old"}
	return p
}

// quoted is a text in JSON.
func quoted(text string) string {
	encoded, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

// crash is a container that ends with 255 again and again, and leaves the end of its log.
func crash(restarts int, message string) string {
	return fmt.Sprintf(`{"phase": "Running", "conditions": [{"type": "Ready", "status": "False", "reason": "ContainersNotReady"}, {"type": "PodScheduled", "status": "True"}],
		"containerStatuses": [{"name": "secretflow", "restartCount": %d,
			"state": {"waiting": {"reason": "CrashLoopBackOff", "message": "back-off 5m0s restarting failed container=secretflow"}},
			"lastState": {"terminated": {"reason": "Error", "exitCode": 255, "message": %s}}}]}`, restarts, quoted(message))
}

// ended is crash before the container waits for its next start.
func ended(restarts int, message string) string {
	return fmt.Sprintf(`{"phase": "Running", "conditions": [{"type": "Ready", "status": "False"}],
		"containerStatuses": [{"name": "secretflow", "restartCount": %d, "state": {"terminated": {"reason": "Error", "exitCode": 255, "message": %s}}}]}`, restarts, quoted(message))
}

const (
	ready     = `{"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}], "containerStatuses": [{"name": "secretflow", "ready": true, "state": {"running": {}}}]}`
	creating  = `{"phase": "Pending", "conditions": [{"type": "Ready", "status": "False"}], "containerStatuses": [{"name": "secretflow", "state": {"waiting": {"reason": "ContainerCreating"}}}]}`
	unready   = `{"phase": "Running", "conditions": [{"type": "Ready", "status": "False"}], "containerStatuses": [{"name": "secretflow", "state": {"running": {"startedAt": "2026-11-22T00:00:00Z"}}}]}`
	noNode    = `{"phase": "Pending", "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/3 nodes are available: 3 Insufficient memory."}]}`
	evicted   = `{"phase": "Failed", "reason": "Evicted", "message": "The node was low on resource: memory."}`
	killed    = `{"containerStatuses": [{"name": "secretflow", "restartCount": 1, "state": {"running": {}}, "lastState": {"terminated": {"reason": "OOMKilled", "exitCode": 137}}}]}`
	completed = `{"containerStatuses": [{"name": "secretflow", "state": {"terminated": {"reason": "Completed", "exitCode": 0}}}]}`
	pending   = `{"phase": "Pending"}`
	// waits are containers that wait for an init container.
	waits = `{"initContainerStatuses": [{"name": "fetch", "state": {"waiting": {"reason": "CreateContainerConfigError", "message": "secret \"oss\" not found"}}}],
		"containerStatuses": [{"name": "secretflow", "state": {"waiting": {"reason": "PodInitializing"}}}]}`
	// unknownField is what SecretFlow-Serving logs at its end.
	unknownField = "2026-11-22 08:00:01.123 [info] [main.cc:109] loading config\n" +
		"2026-11-22 08:00:01.125 [error] [main.cc:142] server startup failed, code: 9, msg: [utils.cc:67] json to pb failed, " +
		"msg:INVALID_ARGUMENT:(party_configs[0].value.model_config) modelID: Cannot find field., stack: \n" +
		"#0 secretflow::serving::JsonToPb()+0x1a2b\n#1 main+0x55d0c2\n#2 __libc_start_main+0x7f1122\n"
)

func pull(image string) string {
	return fmt.Sprintf(`{"phase": "Pending", "conditions": [{"type": "Ready", "status": "False"}], "containerStatuses": [{"name": "secretflow", "state": {"waiting": {"reason": "ImagePullBackOff", "message": %s}}}]}`,
		quoted("Back-off pulling image "+quoted(image)))
}

var told = podstatus.Reported{}.Told

func of(name string, pods ...kube.Pod) podstatus.Party {
	return podstatus.Party{Name: name, Deployment: "glm", Pods: pods}
}

// TestOf has the texts about pods of several kinds.
func TestOf(t *testing.T) {
	t.Parallel()
	crashHint, pullHint := wait.PodHint("CrashLoopBackOff"), wait.PodHint("ImagePullBackOff")
	for name, test := range map[string]struct {
		parties []podstatus.Party
		want    string
	}{
		"none":    {},
		"all run": {parties: []podstatus.Party{of("alice", pod("aaaaa", "00", ready))}},
		"no image": {parties: []podstatus.Party{of("bob", pod("aaaaa", "00", pull("example/broken:1")))}, want: `Pods do not run: ImagePullBackOff (bob). ` + pullHint + `

  bob: pod glm-5c7d8f9b6c-aaaaa, container secretflow: ImagePullBackOff
  | Back-off pulling image "example/broken:1"`},
		"a crash loop": {parties: []podstatus.Party{of("alice", pod("aaaaa", "00", crash(7, unknownField)))}, want: `Pods do not run: CrashLoopBackOff (alice). ` + crashHint + `

  alice: pod glm-5c7d8f9b6c-aaaaa, container secretflow: CrashLoopBackOff, exit code 255, 7 restarts
  | [main.cc:109] loading config
  | [main.cc:142] server startup failed, code: 9, msg: [utils.cc:67] json to
  | pb failed, msg:INVALID_ARGUMENT:(party_configs[0].value.model_config)
  | modelID: Cannot find field.`},
		"a probe that never succeeds": {parties: []podstatus.Party{of("alice", pod("aaaaa", "00", unready))}, want: `Pods do not run: running, not ready (alice). ` + wait.PodHint(wait.NotReady) + `

  alice: pod glm-5c7d8f9b6c-aaaaa, container secretflow: running, not ready`},
		"no resources": {parties: []podstatus.Party{of("alice", pod("aaaaa", "00", noNode))}, want: `Pods do not run: Unschedulable (alice). ` + wait.PodHint("Unschedulable") + `

  alice: pod glm-5c7d8f9b6c-aaaaa: Unschedulable
  | 0/3 nodes are available: 3 Insufficient memory.`},
		"two parties, each with its own": {
			parties: []podstatus.Party{
				of("alice", pod("aaaaa", "00", ended(5, strings.Replace(unknownField, "loading", "retried, loading", 1))), pod("bbbbb", "01", crash(4, strings.ReplaceAll(unknownField, ".12", ".99")))),
				of("bob (role server)", pod("ccccc", "02", pull("example/broken:1"))),
			},
			want: `Pods do not run: CrashLoopBackOff (alice), ImagePullBackOff (bob (role server)). ` + crashHint + " " + pullHint + `

  alice: pod glm-5c7d8f9b6c-bbbbb and 1 more, container secretflow: CrashLoopBackOff, exit code 255, 5 restarts
  | [main.cc:109] loading config
  | [main.cc:142] server startup failed, code: 9, msg: [utils.cc:67] json to
  | pb failed, msg:INVALID_ARGUMENT:(party_configs[0].value.model_config)
  | modelID: Cannot find field.
  bob (role server): pod glm-5c7d8f9b6c-ccccc, container secretflow: ImagePullBackOff
  | Back-off pulling image "example/broken:1"`,
		},
		// The old pods run, or wait for a node that is gone; they are not the reason.
		"after an update": {
			parties: []podstatus.Party{of("alice", old(pod("aaaaa", "00", ready)), old(pod("bbbbb", "01", noNode)), pod("ccccc", "02", pull("a:typo")), pod("ddddd", "03", creating))},
			want: `Pods do not run: ImagePullBackOff (alice), ContainerCreating (alice). ` + pullHint + `

  alice: pod glm-5c7d8f9b6c-ccccc, container secretflow: ImagePullBackOff
  | Back-off pulling image "a:typo"
  alice: pod glm-5c7d8f9b6c-ddddd, container secretflow: ContainerCreating`,
		},
		"only old pods do not run": {parties: []podstatus.Party{of("alice", old(pod("aaaaa", "00", noNode)), pod("ccccc", "02", ready))}, want: `Pods do not run: Unschedulable (alice). ` + wait.PodHint("Unschedulable") + `

  alice: pod glm-5c7d8f9b6c-aaaaa: Unschedulable
  | 0/3 nodes are available: 3 Insufficient memory.`},
		"others": {
			parties: []podstatus.Party{of("alice", pod("aaaaa", "00", evicted), pod("bbbbb", "01", killed)), of("bob", pod("ccccc", "02", completed), pod("ddddd", "03", pending)), of("carol", pod("eeeee", "04", waits))},
			want: `Pods do not run: running, not ready (alice), Completed (bob), CreateContainerConfigError (carol), Failed, Evicted (alice), Pending (bob). ` + wait.PodHint(wait.NotReady) + " " + crashHint + " " + wait.PodHint("CreateContainerConfigError") + `

  alice: pod glm-5c7d8f9b6c-bbbbb, container secretflow: running, not ready, OOMKilled, exit code 137, 1 restart
  bob: pod glm-5c7d8f9b6c-ccccc, container secretflow: Completed, exit code 0
  carol: pod glm-5c7d8f9b6c-eeeee, container fetch: CreateContainerConfigError
  | secret "oss" not found
  alice: pod glm-5c7d8f9b6c-aaaaa: Failed, Evicted
  | The node was low on resource: memory.
  bob: pod glm-5c7d8f9b6c-ddddd: Pending`,
		},
		"not listed": {
			parties: []podstatus.Party{{Name: "alice", Unlisted: errors.New("it is forbidden")}, of("bob", pod("aaaaa", "00", unready)), {Name: "carol", Unlisted: errors.New("it is forbidden")}},
			want: `Pods do not run: running, not ready (bob). ` + wait.PodHint(wait.NotReady) + `

  bob: pod glm-5c7d8f9b6c-aaaaa, container secretflow: running, not ready
  alice: the pods could not be listed: it is forbidden; 1 more`,
		},
		"none listed": {parties: []podstatus.Party{{Name: "alice", Unlisted: errors.New("it is forbidden")}}, want: `  alice: the pods could not be listed: it is forbidden`},
	} {
		if got := podstatus.Of(test.parties, httpapi.Masker{}).Text(); got != test.want {
			t.Errorf("%s:\n%s\n\nwant:\n%s", name, got, test.want)
		}
	}
}

// TestManyParties: with many parties, each has one line, and those that are not shown are counted.
func TestManyParties(t *testing.T) {
	t.Parallel()
	var parties []podstatus.Party
	for i := range 30 {
		parties = append(parties, of(fmt.Sprintf("party-%d", i), pod("aaaaa", "00", crash(i, unknownField))))
		report := podstatus.Of(parties, httpapi.Masker{})
		if len(report.Lines) > podstatus.MaxLines {
			t.Errorf("%d parties have %d lines", i+1, len(report.Lines))
		}
		if text := report.Text(); i < podstatus.MaxLines && strings.Count(text, "server startup failed") != i+1 {
			t.Errorf("%d parties: %s", i+1, text)
		}
	}
	report := podstatus.Of(parties, httpapi.Masker{})
	if last := report.Lines[podstatus.MaxLines-1]; last != "  and 19 more" {
		t.Errorf("%q", last)
	}
}

// TestSecretsOfPods: a message is shown without the secrets that are known, in all forms, and
// without those that it names. The names of party and Deployment are those of the configuration.
func TestSecretsOfPods(t *testing.T) {
	t.Parallel()
	masker := httpapi.NewMasker("pl4nted-token", `pl4nted\nbackslash`, `pl4nted "deep"`, "zzzzz").With(`{"key": "pl4nted \"key\" of a text", "number": 7788990011223344, "predictorParties": ["glm", "alice-bank"]}`)
	message := `bad pl4nted-token, raw str: {"input_config":"{\"key\":\"pl4nted \\\"key\\\" of a text\"}","oss_meta":"{\"accessKey\":\"pl4nted-access\",\\\"secretKey\\\":\\\"pl4nted-secret\\\"}"} ` +
		`invalid value 7788990011223344 for type, \\\"secretKey\\\": 8877665544332211, secret_key): invalid value 99887766554433 for type ` +
		`pl4nted\nbackslash pl4nted ` + strings.Repeat(`\`, 63) + `"deep` + strings.Repeat(`\`, 63) + `" ` +
		"\x1b[2J --password=pl4nted-password mysql://u:pl4nted-address@db\u202e"
	// Of the end of a log, the beginning may be in the middle of a secret.
	end := `-access"} ` + strings.Repeat("x ", 1000)
	if report := told("CrashLoopBackOff", end, httpapi.NewMasker("pl4nted-access")); strings.Contains(report.Text(), "access") {
		t.Error(report.Text())
	}
	text := podstatus.Of([]podstatus.Party{of("alice-bank", pod("zzzzz", "00", crash(7, message)))}, masker).Text() +
		told("reason: CrashLoopBackOff pl4nted-token", message, masker).Text()
	if strings.Contains(text, "pl4nted") || regexp.MustCompile(`\d{8}`).MatchString(text) || strings.ContainsAny(text, "\x1b\u202e\\") || !strings.Contains(text, "alice-bank: pod glm-5c7d8f9b6c-***, container") || strings.Count(text, `"secretKey":"***"`) != 2 {
		t.Error(text)
	}
}

// TestTold: the message of Kuscia is shown as a whole and readable, in lines of its own if it
// is long.
func TestTold(t *testing.T) {
	t.Parallel()
	long := "Failed to parse config str to json, error=(offset=0, code=1), raw str: " + strings.Repeat(`{\"partyConfigs\":{\"alice\":{\"modelConfig\":{\"modelId\":\"glm\",\"sourcePath\":\"/a/b\"}}}},`, 40)
	for name, test := range map[string]struct{ reason, message, want string }{
		"another reason": {"CreateServiceFailed", "it exists", ""},
		"short":          {"domainID: bob, reason: ImagePullBackOff", `Back-off pulling image "a:1".`, `Pods do not run: domainID: bob, reason: ImagePullBackOff, message: Back-off pulling image "a:1". ` + wait.PodHint("ImagePullBackOff")},
		"lines":          {"domainID: bob, reason: CrashLoopBackOff", httpapi.Text("first\n\nsecond\\nthird \\\"x\\\"\n"), `Pods do not run: domainID: bob, reason: CrashLoopBackOff. ` + wait.PodHint("CrashLoopBackOff") + "\n\n  | first\n  | second\n  | third \"x\""},
	} {
		if got := told(test.reason, test.message, httpapi.Masker{}).Text(); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
	report := told("domainID: bob, reason: CrashLoopBackOff", long, httpapi.Masker{})
	var joined strings.Builder
	for _, line := range report.Lines {
		joined.WriteString(strings.TrimPrefix(line, "  | "))
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("%q is long", line)
		}
	}
	if want := strings.Replace(strings.ReplaceAll(long, `\"`, `"`), "Failed", "…", 1); strings.ReplaceAll(joined.String(), " ", "") != strings.ReplaceAll(want, " ", "") {
		t.Errorf("%s", joined.String())
	}
}

// TestToldBefore: Kuscia has the message of a container only until its restart is put off, and of one
// party at a time; those of earlier statuses are kept.
func TestToldBefore(t *testing.T) {
	t.Parallel()
	var reported podstatus.Reported
	for range 2 {
		reported.Record("domainID: bob, reason: Error", "an older message")
		reported.Record("domainID: bob, reason: Error", "server startup failed\nsecond line")
		reported.Record("domainID: alice, reason: Error", "cannot start")
		reported.Record("domainID: bob, reason: CrashLoopBackOff", "back-off 10s")
		reported.Record("domainID: carol, reason: Error", "")
	}
	hint := wait.PodHint("CrashLoopBackOff")
	for reason, want := range map[string]string{
		"domainID: bob, reason: CrashLoopBackOff": `Pods do not run: domainID: bob, reason: CrashLoopBackOff, message: cannot start. ` + hint + `

  Kuscia said before: domainID: alice, reason: Error, message: cannot start
  Kuscia said before: domainID: bob, reason: Error
  | server startup failed
  | second line`,
		"domainID: alice, reason: Error": `Pods do not run: domainID: alice, reason: Error, message: cannot start. ` + hint + `

  Kuscia said before: domainID: bob, reason: Error
  | server startup failed
  | second line`,
		"CreateServiceFailed": "",
	} {
		if got := reported.Told(reason, "cannot start", httpapi.Masker{}).Text(); got != want {
			t.Errorf("%s: %s\nwant %s", reason, got, want)
		}
	}
}

// TestReason: the reason of the newest pod counts, unless it may start.
func TestReason(t *testing.T) {
	t.Parallel()
	for want, pods := range map[string][]kube.Pod{
		"":                 {pod("aaaaa", "00", pull("a:1")), pod("bbbbb", "01", creating)},
		"ImagePullBackOff": {old(pod("aaaaa", "00", noNode)), pod("bbbbb", "01", pull("a:1"))},
		"Unschedulable":    {old(pod("aaaaa", "00", ready)), pod("bbbbb", "01", noNode)},
	} {
		if got := podstatus.Reason(pods); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestReportIsBounded: whatever a cluster returns, a report has few and printable lines.
func TestReportIsBounded(t *testing.T) {
	t.Parallel()
	texts := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "Error", "CrashLoopBackOff", "ContainerCreating", unknownField, "a\n#1 x\n", strings.Repeat("x", 5000), strings.Repeat("a b\n\x1b[31m", 900), strings.Repeat("漢字", 800)}))
	reasons := rapid.Ptr(rapid.Custom(func(t *rapid.T) kube.ContainerReason {
		return kube.ContainerReason{Reason: texts.Draw(t, "reason"), Message: texts.Draw(t, "message"), ExitCode: rapid.Int64().Draw(t, "code")}
	}), true)
	state := rapid.Custom(func(t *rapid.T) kube.ContainerState {
		return kube.ContainerState{Waiting: reasons.Draw(t, "waiting"), Terminated: reasons.Draw(t, "terminated")}
	})
	container := rapid.Custom(func(t *rapid.T) kube.ContainerStatus {
		return kube.ContainerStatus{Name: texts.Draw(t, "name"), RestartCount: rapid.Int64().Draw(t, "restarts"), State: state.Draw(t, "state"), LastState: state.Draw(t, "last")}
	})
	condition := rapid.Custom(func(t *rapid.T) kube.Condition {
		return kube.Condition{Type: rapid.SampledFrom([]string{"Ready", "PodScheduled"}).Draw(t, "type"), Status: rapid.SampledFrom([]string{"True", "False", ""}).Draw(t, "status"), Reason: texts.Draw(t, "reason"), Message: texts.Draw(t, "message")}
	})
	pods := rapid.Custom(func(t *rapid.T) kube.Pod {
		return kube.Pod{
			Metadata: kube.Metadata{Name: texts.Draw(t, "name"), CreationTimestamp: texts.Draw(t, "created")},
			Status: kube.PodStatus{
				Phase: texts.Draw(t, "phase"), Reason: texts.Draw(t, "reason"), Message: texts.Draw(t, "message"), Conditions: rapid.SliceOfN(condition, 0, 2).Draw(t, "conditions"),
				InitContainerStatuses: rapid.SliceOfN(container, 0, 2).Draw(t, "init"), ContainerStatuses: rapid.SliceOfN(container, 0, 3).Draw(t, "containers"),
			},
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		var parties []podstatus.Party
		for i := range rapid.IntRange(1, 15).Draw(t, "parties") {
			p := of(fmt.Sprint("party-", i), rapid.SliceOfN(pods, 0, 4).Draw(t, "pods")...)
			if rapid.Bool().Draw(t, "unlisted") {
				p.Unlisted = errors.New(texts.Draw(t, "error"))
			}
			parties = append(parties, p)
		}
		report := podstatus.Of(parties, httpapi.Masker{})
		if len(report.Lines) > podstatus.MaxLines || utf8.RuneCountInString(report.Why) > 3000 {
			t.Errorf("%d lines: %s", len(report.Lines), report.Text())
		}
		for _, line := range append(report.Lines, report.Why) {
			if strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) || printable.Invisible(r) }) {
				t.Errorf("%q", line)
			}
		}
		for _, line := range report.Lines {
			if utf8.RuneCountInString(line) > 200 {
				t.Errorf("%q is long", line)
			}
		}
	})
}
