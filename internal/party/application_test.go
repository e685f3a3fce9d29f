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
	model1 := func(id string) string {
		return `{"partyConfigs":{"alice":` + model + `},"bob":{"modelConfig":{"modelId":` + id + `,"sourceType":"ST_FILE"}}}}`
	}
	oss := func(meta string) string {
		return `{"partyConfigs":{"alice":` + model + `},"bob":{"modelConfig":{"modelId":"m","sourceType":"ST_OSS","ossSourceMeta":` + meta + `}}}}`
	}
	texts := map[string]string{
		"right":         `{"partyConfigs":{"alice":` + model + `},"bob":` + model + `}}}`,
		"misspelled":    `{"partyConfigs":{"alice":` + model + `},"bob":{"hunter2":1}}}`,
		"by version":    `{"partyConfigs":{"alice":` + model + `},"bob":` + model + `}},"predictorParties":["bob"]}`,
		"secret number": oss(`{"accessKey":"hunter2","secretKey":99887766554433}`),
		"secret scalar": oss(`"hunter2:99887766554433"`),
		"secret switch": oss(`{"virtualHosted":99887766554433}`),
		"number":        model1(`5`),
		"object":        model1(`{"hunter2":1}`),
		"four":          `{"partyConfigs":{"alice":` + model + `,"serverConfig":{"workerNum":"four"}},"bob":` + model + `}}}`,
		"source":        `{"partyConfigs":{"alice":` + model + `},"bob":{"modelConfig":{"sourceType":"ST_FTP"}}}}`,
		"one part":      `{"partyConfigs":{"alice":` + model + `}}}`,
		"entries":       `{"partyConfigs":{"alice":` + model + `,"serverConfig":{"featureMapping":{"hunter2":99887766554433}}},"bob":` + model + `}}}`,
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
		"by version":                {text: "by version", tag: "0.7.0b0", changed: true, severity: diag.SeverityWarning, says: []string{"The application has this field since 0.8.", "with the tag 0.7.0b0 (SecretFlow-Serving before 0.8)."}},
		"a secret, a number":        {text: "secret number", tag: "latest", changed: true, severity: diag.SeverityError, says: []string{"ossSourceMeta.secretKey: The value is not allowed. Parties", "secret_key): invalid value ... for type TYPE_STRING"}},
		"a secret, no object":       {text: "secret scalar", tag: "latest", changed: true, severity: diag.SeverityError, says: []string{"ossSourceMeta: The value is not allowed. Parties", "oss_source_meta): invalid value ... for type"}},
		"a secret in a map":         {text: "entries", tag: "latest", changed: true, severity: diag.SeverityError, says: []string{"featureMapping.hunter2: The value is not allowed. Parties"}},
		"in a store that is secret": {text: "secret switch", tag: "latest", changed: true, severity: diag.SeverityError, says: []string{"ossSourceMeta.virtualHosted: The value is not allowed. Parties"}},
		"a number for a text":       {text: "number", tag: "latest", changed: true, severity: diag.SeverityError, says: []string{`modelConfig.modelId: The value is not allowed (5). Parties`, "A string is allowed.", "model_id): invalid value ... for type"}},
		"a text for a number":       {text: "four", tag: "latest", changed: true, severity: diag.SeverityError, says: []string{`serverConfig.workerNum: The value is not allowed ("four"). Parties`}},
		"an object for a text":      {text: "object", tag: "latest", changed: true, severity: diag.SeverityError, says: []string{`modelConfig.modelId: The value is not allowed (an object). Parties`}},
		"no such source":            {text: "source", tag: "latest", changed: true, severity: diag.SeverityError, says: []string{`sourceType: The value is not allowed ("ST_FTP").`, "Allowed are ST_FILE, ST_OSS, ST_HTTP, ST_DP."}},
		"no part of its own":        {text: "one part", tag: "latest", changed: true, severity: diag.SeverityError, says: []string{`The party has no part of the text. Party "bob" would not start.`, "serving_config.party_configs().end()\n\nFor a fork"}},
		"newer":                     {text: "by version", tag: "0.8.0b0", changed: true},
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
				if row.secret && strings.Contains(d.Detail(), "hunter2") || strings.Contains(d.Detail(), "99887766554433") || row.text == "secret scalar" && strings.Contains(d.Detail(), "hunter2") {
					t.Errorf("it shows the text: %s", d.Detail())
				}
			}
			if n := len(application.CheckApply(row.changed)); row.changed && n != len(found.Errors()) {
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
