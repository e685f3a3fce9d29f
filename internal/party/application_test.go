package party_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/party"
)

// application is an app image as SecretFlow documents it.
func application(tag string) *kuscia.AppImage {
	return &kuscia.AppImage{
		Name: "sf", Image: kuscia.AppImageInfo{Name: "secretflow/serving-anolis8", Tag: tag},
		ConfigTemplates: map[string]string{"serving.conf": `{"serving_id":"{{.SERVING_ID}}","input_config":"{{.INPUT_CONFIG}}","cluster_def":"{{.CLUSTER_DEFINE}}","allocated_ports":"{{.ALLOCATED_PORTS}}"}`},
		DeployTemplates: []kuscia.DeployTemplate{{Name: "other", Role: "other"}, {Name: "sf", Containers: []kuscia.Container{{
			Name: "sf", Command: []string{"sh", "-c", "./secretflow_serving --flagfile=conf/gflags.conf --config_mode=kuscia --serving_config_file=/etc/kuscia/serving.conf"},
			ConfigVolumeMounts: []kuscia.ConfigVolumeMount{{MountPath: "/etc/kuscia/serving.conf", SubPath: "serving.conf"}},
			Ports:              []kuscia.ContainerPort{{Name: "service", Scope: "Domain"}, {Name: "communication", Scope: "Cluster"}},
		}}}},
	}
}

// TestCheckApplication shows what is said of a mistake in a text: where, what, whom it stops, and
// how severe it is.
func TestCheckApplication(t *testing.T) {
	t.Parallel()
	const model = `{"modelConfig":{"modelId":"m","sourceType":"ST_FILE"}`
	texts := map[string]string{
		"right":      `{"partyConfigs":{"alice":` + model + `},"bob":` + model + `}}}`,
		"misspelled": `{"partyConfigs":{"alice":` + model + `},"bob":{"hunter2":1}}}`,
		"by version": `{"partyConfigs":{"alice":` + model + `},"bob":` + model + `}},"predictorParties":["bob"]}`,
		"entries":    `{"partyConfigs":{"alice":` + model + `,"serverConfig":{"featureMapping":{"hunter2":1}}},"bob":` + model + `}}}`,
	}
	for name, row := range map[string]struct {
		text, tag       string
		changed, secret bool
		severity        diag.Severity
		says            []string
	}{
		"right": {text: "right", tag: "latest", changed: true},
		"new": {
			text: "misspelled", tag: "latest", changed: true, severity: diag.SeverityError,
			says: []string{`serving_input_config.partyConfigs.bob.hunter2: The application has no such field. Parties "alice", "bob" would not start. Allowed are serverConfig,`, "\n\nThe application would say: json to pb failed, msg:INVALID_ARGUMENT:(party_configs[1].value) hunter2: Cannot find field."},
		},
		"imported":   {text: "misspelled", tag: "latest", severity: diag.SeverityWarning, says: []string{"no such field"}},
		"write-only": {text: "misspelled", tag: "latest", changed: true, secret: true, severity: diag.SeverityError, says: []string{"serving_input_config.partyConfigs.bob: The application has no such field."}},
		"write-only, a key of a map": {
			text: "entries", tag: "latest", changed: true, secret: true, severity: diag.SeverityError, says: []string{"serving_input_config.partyConfigs.alice.serverConfig.featureMapping.*: The value is not allowed."},
		},
		"by version": {text: "by version", tag: "0.7.0b0", changed: true, severity: diag.SeverityWarning, says: []string{"The application has this field since 0.8.", "with SecretFlow-Serving before 0.8."}},
		"newer":      {text: "by version", tag: "0.8.0b0", changed: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := texts[row.text]
			application := party.Application{
				ID: "s", Text: &text, At: path.Root("serving_input_config"), Secret: row.secret,
				Images:   func(string) *kuscia.AppImage { return application(row.tag) },
				RunsHere: func(string) bool { return true },
			}
			for _, domain := range []string{"alice", "bob"} {
				application.Parties = append(application.Parties, party.ApplicationParty{Domain: domain, AppImage: "sf", At: path.Root("parties").AtMapKey(domain)})
			}
			found := application.CheckPlan(row.changed)
			var all []string
			for _, d := range found {
				if all = append(all, d.Detail()); d.Severity() != row.severity {
					t.Errorf("%s: %s", d.Severity(), d.Detail())
				}
				if row.secret && strings.Contains(d.Detail(), "hunter2") {
					t.Errorf("it shows the text: %s", d.Detail())
				}
			}
			if n := len(application.CheckApply()); row.changed && n != len(found.Errors()) {
				t.Errorf("the apply says %d of %d", n, len(found))
			}
			if (len(all) > 0) != (len(row.says) > 0) {
				t.Errorf("%q", all)
			}
			for _, want := range row.says {
				if !strings.Contains(strings.Join(all, "\n"), want) {
					t.Errorf("%q lacks %q", all, want)
				}
			}
		})
	}
}

// TestApplicationOfPartner: the app image of a partner is another one than that of the same name here.
func TestApplicationOfPartner(t *testing.T) {
	t.Parallel()
	image := application("latest")
	image.DeployTemplates[1].Containers[0].Ports = nil
	for _, runsHere := range []bool{true, false} {
		checked := party.Application{
			ID: "s", At: path.Root("serving_input_config"), Incomplete: true, Images: func(string) *kuscia.AppImage { return image },
			RunsHere: func(string) bool { return runsHere },
			Parties:  []party.ApplicationParty{{Domain: "bob", AppImage: "sf", At: path.Root("parties")}, {Domain: "alice"}},
		}
		if found := checked.CheckPlan(true); found.HasError() != runsHere {
			t.Errorf("runs here %t: %v", runsHere, found)
		}
	}
}

// TestApplicationImage shows that the template for the role is used, and where it is.
func TestApplicationImage(t *testing.T) {
	t.Parallel()
	if got := party.ApplicationImage(application("1"), ""); got.At != "deploy_templates[1]" || len(got.Containers) != 1 || got.Containers[0].Mounts[0].Template != "serving.conf" {
		t.Errorf("%+v", got)
	}
	if party.ApplicationImage(nil, "") != nil || party.ApplicationImage(&kuscia.AppImage{}, "x") != nil {
		t.Error("an app image that is not known")
	}
}
