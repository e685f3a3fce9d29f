package application_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/application"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/rules"

	. "github.com/terraform-kuscia/terraform-provider-kuscia/internal/resource/serving/servingtest"
)

// started is the app image of SecretFlow-Serving.
func started() *kuscia.AppImage {
	image := AppImage("sf", kuscia.Container{
		Name: "app", Command: []string{"./secretflow_serving", "--flagfile=conf/gflags.conf", "--config_mode=kuscia", "--serving_config_file=/etc/serving.conf"},
		ConfigVolumeMounts: []kuscia.ConfigVolumeMount{{MountPath: "/etc/serving.conf", SubPath: "serving.conf"}},
		Ports:              []kuscia.ContainerPort{{Name: "service", Protocol: "HTTP", Scope: "Domain"}, {Name: "communication", Protocol: "HTTP", Scope: "Cluster"}},
	})
	image.Image = kuscia.AppImageInfo{Name: "secretflow/serving-anolis8", Tag: "latest"}
	image.ConfigTemplates = map[string]string{"serving.conf": `{"serving_id":"{{.SERVING_ID}}","input_config":"{{.INPUT_CONFIG}}","cluster_def":"{{.CLUSTER_DEFINE}}","allocated_ports":"{{.ALLOCATED_PORTS}}"}`}
	return image
}

// TestChecks: which text is checked in a plan and in an apply, at which attribute, and when nothing
// is known of it.
func TestChecks(t *testing.T) {
	t.Parallel()
	const model = `{"modelConfig":{"modelId":"m","sourcePath":"/m","sourceType":"ST_FILE"}}`
	const right, wrong = `{"partyConfigs":{"alice":` + model + `,"bob":` + model + `}}`, `{"partyConfigs":{"alice":` + model + `,"bob":{"hiddenKey":1}}}`
	at := func(name, text string) func(rules.Serving) rules.Serving {
		return func(s rules.Serving) rules.Serving {
			return s.WithServingAttribute(name, types.StringValue(text))
		}
	}
	writeOnly := func(s rules.Serving) rules.Serving {
		return s.WithServingAttribute(rules.AttrConfigVersion, types.Int64Value(1)).WithServingAttribute(rules.AttrConfig, types.StringNull())
	}
	for name, test := range map[string]struct {
		change func(rules.Serving) rules.Serving
		// plan and apply are what is said, "" for nothing.
		plan, apply string
	}{
		"right": {at(rules.AttrConfig, right), "", ""},
		"wrong": {at(rules.AttrConfig, wrong), "serving_input_config", "serving_input_config"},
		"not wanted": {func(s rules.Serving) rules.Serving {
			return at(rules.AttrConfig, wrong)(s).WithServingAttribute("check_application", types.BoolValue(false))
		}, "", ""},
		"not known yet": {func(s rules.Serving) rules.Serving {
			return s.WithServingAttribute(rules.AttrConfig, types.StringUnknown())
		}, "", ""},
		"left out": {func(s rules.Serving) rules.Serving {
			return s.WithServingAttribute(rules.AttrConfig, types.StringNull())
		}, "serving_input_config", "serving_input_config"},
		"write-only, read": {func(s rules.Serving) rules.Serving { return at(rules.AttrConfig, wrong)(writeOnly(s)) }, "", "serving_input_config_wo"},
		"write-only":       {writeOnly, "", ""},
		"unknown party": {func(s rules.Serving) rules.Serving {
			s = at(rules.AttrConfig, wrong)(s)
			return s.WithParties(rules.UnknownParties())
		}, "", ""},
		"party of an unknown domain": {func(s rules.Serving) rules.Serving {
			s = at(rules.AttrConfig, strings.ReplaceAll(right, "alice", "carol"))(s)
			return InParty(s, 0, func(p *rules.Party) { *p = p.WithPartyAttribute("domain_id", types.StringUnknown()) })
		}, "", ""},
		"party without a configuration": {at(rules.AttrConfig, strings.ReplaceAll(right, "alice", "carol")), "alice", "alice"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			serving := test.change(ConfigOf(PartyOf("alice", Image("sf")), PartyOf("bob", Image("sf"))).WithDefaults())
			here := func(string) bool { return true }
			for _, changed := range []bool{true, false} {
				check(t, "plan", application.CheckPlan(serving, ImagesOf(started()), here, changed), changed, test.plan)
				apply := application.CheckApply(serving, ImagesOf(started()), here, changed)
				if apply.HasError() && !changed {
					t.Errorf("an apply that changes nothing of it fails: %s", apply)
				}
				if changed {
					check(t, "apply", apply, changed, test.apply)
				}
			}
		})
	}
}

// check compares what is said: an error of a change, and a warning of what is only refreshed.
func check(t *testing.T, moment string, diags diag.Diagnostics, changed bool, want string) {
	t.Helper()
	var said []string
	for _, d := range diags {
		said = append(said, d.Detail())
		if (d.Severity() == diag.SeverityError) != changed {
			t.Errorf("%s: %s is of severity %s", moment, d.Detail(), d.Severity())
		}
	}
	switch text := strings.Join(said, "\n"); {
	case want == "" && len(diags) > 0, want != "" && !strings.Contains(text, want):
		t.Errorf("%s: it says %q, want %q", moment, text, want)
	}
}
