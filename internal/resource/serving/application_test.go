package serving_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

// The titles of what a plan says about SecretFlow-Serving.
const (
	wouldNotStart = "SecretFlow-Serving would not start"
	mayNotStart   = "SecretFlow-Serving may not start"
)

// Texts for SecretFlow-Serving. The one that is wrong has an unknown field in bob's part.
var (
	runsText  = applicationText("")
	wrongText = applicationText(`,"hiddenKey":1`)
)

func applicationText(bob string) string {
	const model = `"modelConfig":{"modelId":"m","sourcePath":"/m","sourceType":"ST_FILE"}`
	return `{"partyConfigs":{"alice":{` + model + `},"bob":{` + model + bob + `}}}`
}

// application makes an app image that of SecretFlow-Serving, as documented.
func application(i *kuscia.AppImage) {
	i.Image = kuscia.AppImageInfo{Name: "secretflow/serving-anolis8", Tag: "latest"}
	i.ConfigTemplates = map[string]string{"serving.conf": `{"serving_id":"{{.SERVING_ID}}","input_config":"{{.INPUT_CONFIG}}","cluster_def":"{{.CLUSTER_DEFINE}}","allocated_ports":"{{.ALLOCATED_PORTS}}"}`}
	i.DeployTemplates[0].Containers[0] = kuscia.Container{
		Name: "app", Command: []string{"./secretflow_serving", "--flagfile=conf/gflags.conf", "--config_mode=kuscia", "--serving_config_file=/etc/serving.conf"},
		ConfigVolumeMounts: []kuscia.ConfigVolumeMount{{MountPath: "/etc/serving.conf", SubPath: "serving.conf"}},
		Ports:              []kuscia.ContainerPort{{Name: "service", Protocol: "HTTP", Scope: "Domain"}, {Name: "communication", Protocol: "HTTP", Scope: "Cluster"}},
	}
}

// unshared has no port at which the other parties reach the application.
func unshared(i *kuscia.AppImage) {
	application(i)
	i.DeployTemplates[0].Containers[0].Ports = i.DeployTemplates[0].Containers[0].Ports[:1]
}

// starting is a serving of alice and bob with SecretFlow-Serving, which is not waited for.
func starting(t *testing.T, options sandbox.Options, image func(*kuscia.AppImage)) *live {
	t.Helper()
	e := acctest.NewSandbox(t, options)
	name := e.AppImage(image)
	return newLive(t, e, name).set(attrs{
		"parties": attrs{"alice": attrs{"app_image": name}, "bob": attrs{"app_image": name}}, "serving_input_config": runsText, "wait_for_rollout": false,
	})
}

// judged checks what is said: how often, how severe, and with which texts.
func judged(t *testing.T, said, severity string, times int, texts ...string) {
	t.Helper()
	title := wouldNotStart
	if strings.Contains(said, mayNotStart) {
		title = mayNotStart
	}
	if got := strings.Count(said, title); got != times || times > 0 && strings.Count(said, severity) != times {
		t.Errorf("it is said %d times, want %d of %s: %s", got, times, severity, said)
	}
	protocol.Says(t, "the message", said, texts...)
}

// TestApplication shows what a plan of a new serving says of SecretFlow-Serving: each cause once,
// and nothing of what it does not know.
func TestApplication(t *testing.T) {
	t.Parallel()
	l := starting(t, sandbox.Options{}, application)
	right := l.of["parties"].(attrs)["alice"].(attrs)["app_image"]
	ofImage := func(change func(*kuscia.AppImage)) string {
		return l.env.AppImage(func(i *kuscia.AppImage) { application(i); change(i) })
	}
	parties := func(alice, bob any) attrs {
		return attrs{"parties": attrs{"alice": attrs{"app_image": alice}, "bob": attrs{"app_image": bob}}}
	}
	more := protocol.With[attrs]
	idle := ofImage(func(i *kuscia.AppImage) { i.DeployTemplates[0].Containers[0].Command = nil })
	old := ofImage(func(i *kuscia.AppImage) { i.Image.Tag = "0.7.0b0" })
	other := ofImage(func(i *kuscia.AppImage) {
		i.Image.Name, i.DeployTemplates[0].Containers[0].Command = "example/app", nil
	})
	predicts := strings.TrimSuffix(runsText, "}") + `,"predictorParties":["alice"]}`
	of := l.of
	for name, test := range map[string]struct {
		changes  attrs
		severity string
		times    int
		says     []string
	}{
		"right":             {},
		"an unknown field":  {attrs{"serving_input_config": wrongText}, "ERROR", 1, []string{`serving_input_config.partyConfigs.bob.hiddenKey: The application has no such field`, `Parties "alice", "bob" would not start`, "Cannot find field"}},
		"two causes":        {more(attrs{"serving_input_config": wrongText}, parties(right, idle)), "ERROR", 2, []string{`AttributeName("parties").ElementKeyString("bob").AttributeName("app_image")`, "no command"}},
		"no JSON":           {attrs{"serving_input_config": "plain"}, "ERROR", 1, []string{"not the JSON object that the application reads", "jsonencode"}},
		"no text":           {attrs{"serving_input_config": nil}, "ERROR", 1, nil},
		"no command":        {parties(idle, idle), "ERROR", 1, []string{`AttributeName("parties").ElementKeyString("alice").AttributeName("app_image")`, `Parties "alice", "bob" would not start`}},
		"by version":        {more(attrs{"serving_input_config": predicts}, parties(old, old)), "WARNING", 1, []string{mayNotStart, "since 0.8", "before 0.8"}},
		"another version":   {attrs{"serving_input_config": predicts}, "", 0, nil},
		"another one":       {more(attrs{"serving_input_config": wrongText}, parties(other, other)), "", 0, nil},
		"off":               {attrs{"serving_input_config": wrongText, "check_application": false}, "", 0, nil},
		"off, perhaps":      {attrs{"serving_input_config": wrongText, "check_application": protocol.Unknown{}}, "", 0, nil},
		"unknown text":      {attrs{"serving_input_config": protocol.Unknown{}}, "", 0, nil},
		"hidden text":       {hiding(wrongText, 1), "", 0, nil},
		"unknown parties":   {attrs{"parties": protocol.Unknown{}, "serving_input_config": wrongText}, "", 0, nil},
		"an unknown party":  {attrs{"parties": attrs{"alice": attrs{"app_image": right}, "b": attrs{"domain_id": protocol.Unknown{}, "app_image": right}}}, "", 0, nil},
		"an unknown image":  {more(attrs{"serving_input_config": wrongText}, parties(right, protocol.Unknown{})), "ERROR", 1, []string{`Parties "alice", "bob"`}},
		"one party":         {attrs{"parties": attrs{"alice": attrs{"app_image": right}}}, "ERROR", 1, []string{"at least two parties"}},
		"keys, not domains": {attrs{"parties": attrs{"a": attrs{"domain_id": "alice", "app_image": right}, "b": attrs{"domain_id": "bob", "app_image": idle}}}, "ERROR", 1, []string{`ElementKeyString("b").AttributeName("app_image")`}},
	} {
		t.Run(name, func(t *testing.T) {
			l := *l
			l.t, l.of = t, protocol.With(of, test.changes)
			said, _ := l.plan()
			judged(t, said, test.severity, test.times, test.says...)
		})
	}
}

// TestApplicationInApply shows that what a plan did not know is judged before anything is sent,
// and that a hidden text is not quoted.
func TestApplicationInApply(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		planned, known attrs
		says           string
	}{
		"hidden text":  {hiding(wrongText, 1), nil, "serving_input_config_wo.partyConfigs.bob: The application has no such field."},
		"unknown text": {attrs{"serving_input_config": protocol.Unknown{}}, attrs{"serving_input_config": wrongText}, "serving_input_config.partyConfigs.bob.hiddenKey"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := starting(t, sandbox.Options{}, application).set(test.planned)
			plan, _ := l.plan()
			judged(t, plan, "", 0)
			requests := l.env.CountRequests()
			said := l.set(test.known).try()
			judged(t, said, "ERROR", 1, test.says)
			if test.known == nil && strings.Contains(said, "hiddenKey") {
				t.Errorf("it shows the text: %s", said)
			}
			acctest.CheckNoWrites(t, "the refused create", requests)
			if !l.state.Value.IsNull() {
				t.Errorf("the state is %s", l.state.Value)
			}
		})
	}
}

// TestApplicationUpdate shows that a serving which does not change, or is scaled, gets warnings, also
// after an import, and an update that changes what is checked an error; and that check_application is only in the
// state.
func TestApplicationUpdate(t *testing.T) {
	t.Parallel()
	l := starting(t, sandbox.Options{}, application).set(attrs{"serving_input_config": wrongText, "check_application": false})
	l.mustApply()
	requests := l.env.CountRequests()
	said := l.set(attrs{"check_application": nil}).mustApply()
	acctest.CheckNoWrites(t, "check_application", requests)
	judged(t, said, "WARNING", strings.Count(said, wouldNotStart))
	said, _ = l.plan()
	judged(t, said, "WARNING", 1, "hiddenKey")

	scaled := attrs{"parties": attrs{"alice": with(l.of["parties"].(attrs)["alice"].(attrs), attrs{"replicas": 2}), "bob": l.of["parties"].(attrs)["bob"]}}
	said, _ = l.set(scaled).plan()
	judged(t, said, "WARNING", 1, "hiddenKey")
	l.mustApply()
	said, _ = l.set(attrs{"serving_input_config": applicationText(`,"hiddenKey":2`)}).plan()
	judged(t, said, "ERROR", 1, "hiddenKey")
	l.set(attrs{"serving_input_config": runsText}).mustApply()
	said, _ = l.plan()
	judged(t, said, "", 0)

	l.set(attrs{"serving_input_config": wrongText})
	protocol.NoError(t, l.env.Sandbox.MutateServing(l.id(), func(s *sandbox.ServingSpec) { s.InputConfig = wrongText }))
	imported, _ := l.run().Import(t, l.id())
	l.state = imported
	l.mustRead()
	said, _ = l.plan()
	judged(t, said, "WARNING", 1, "hiddenKey")
}

// TestApplicationPlanned shows that an app image which the same run plans is judged as planned, and
// not as long as it is not known.
func TestApplicationPlanned(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		name, command any
		severity      string
		times         int
	}{
		"right":                 {"sf", "./secretflow_serving --config_mode=kuscia --flagfile=conf/gflags.conf --serving_config_file=/etc/serving.conf", "", 0},
		"wrong":                 {"sf", "./secretflow_serving --config_mode=kuscia --flagfile=conf/gflags.conf", "ERROR", 1},
		"unknown command":       {"sf", protocol.Unknown{}, "", 0},
		"planned by somebody":   {"another", "", "", 0},
		"not known to the plan": {protocol.Unknown{}, "", "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := starting(t, sandbox.Options{}, application).set(attrs{"parties": attrs{"alice": attrs{"app_image": "sf"}, "bob": attrs{"app_image": "sf"}}})
			server := l.env.Server(nil)
			images := server.Resource(t, "kuscia_app_image")
			images.Plan(t, protocol.Value(images.Kind, attrs{
				"name": test.name, "image": attrs{"name": "secretflow/serving-anolis8", "tag": "latest"},
				"config_templates": attrs{"serving.conf": `{"serving_id":"{{.SERVING_ID}}","input_config":"{{.INPUT_CONFIG}}","cluster_def":"{{.CLUSTER_DEFINE}}","allocated_ports":"{{.ALLOCATED_PORTS}}"}`},
				"deploy_templates": []any{attrs{"name": "t", "containers": []any{attrs{
					"name": "main", "command": []any{"sh", "-c", test.command},
					"config_volume_mounts": []any{attrs{"mount_path": "/etc/serving.conf", "sub_path": "serving.conf"}},
					"ports":                []any{attrs{"name": "service", "scope": "Domain"}, attrs{"name": "communication", "scope": "Cluster"}},
				}}}},
			}), images.None())
			_, said := l.planned(server.Resource(t, "kuscia_serving"))
			judged(t, said, test.severity, test.times)
		})
	}
}

// TestApplicationOfPartner shows that of a partner, whose app images are its own, only the text is
// judged, also where this run makes a domain one.
func TestApplicationOfPartner(t *testing.T) {
	t.Parallel()
	l := starting(t, sandbox.Options{Autonomy: "alice", Domains: []string{"alice", "bob"}}, unshared)
	said, _ := l.plan()
	judged(t, said, "ERROR", 1, "The port communication is missing", `Party "alice" would not start`)
	other := l.env.AppImage(application)
	parties := attrs{"alice": attrs{"app_image": other}, "bob": l.of["parties"].(attrs)["bob"]}
	said, _ = l.set(attrs{"parties": parties}).plan()
	judged(t, said, "", 0)
	said, _ = l.set(attrs{"serving_input_config": wrongText}).plan()
	judged(t, said, "ERROR", 1, `Parties "alice", "bob" would not start`)

	for _, role := range []any{"partner", protocol.Unknown{}, nil} {
		t.Run(fmt.Sprint(role), func(t *testing.T) {
			l := starting(t, sandbox.Options{}, application)
			l.t = t
			parties := attrs{"alice": l.of["parties"].(attrs)["alice"], "carol": attrs{"app_image": l.env.AppImage(unshared)}}
			l.set(attrs{"parties": parties, "serving_input_config": strings.Replace(runsText, "bob", "carol", 1)})
			server := l.env.Server(nil)
			domains := server.Resource(t, "kuscia_domain")
			domains.Plan(t, protocol.Value(domains.Kind, attrs{"domain_id": "carol", "role": role}), domains.None())
			_, said := l.planned(server.Resource(t, "kuscia_serving"))
			if role == nil {
				judged(t, said, "ERROR", 1, "The port communication is missing")
			} else {
				judged(t, said, "", 0)
			}
		})
	}
}
