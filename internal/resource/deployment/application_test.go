package deployment_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/run"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// The title of what a plan says about SecretFlow-Serving.
const wouldNotStart = "SecretFlow-Serving would not start"

// Texts for SecretFlow-Serving. The one that is wrong has an unknown field in bob's part.
var (
	runsText  = applicationText("")
	wrongText = applicationText(`,"hiddenKey":1`)
)

func applicationText(bob string) string {
	const model = `"modelConfig":{"modelId":"m","sourcePath":"/m","sourceType":"ST_FILE"}`
	return `{"partyConfigs":{"alice":{` + model + `},"bob":{` + model + bob + `}}}`
}

const (
	applicationFile    = `{"serving_id":"{{.SERVING_ID}}","input_config":"{{.INPUT_CONFIG}}","cluster_def":"{{.CLUSTER_DEFINE}}","allocated_ports":"{{.ALLOCATED_PORTS}}"}`
	applicationCommand = "./secretflow_serving --flagfile=conf/gflags.conf --config_mode=kuscia --serving_config_file=/etc/serving.conf"
)

// applicationImage creates an app image of SecretFlow-Serving with a command in the cluster.
func (c *cluster) applicationImage(name, command string) string {
	c.t.Helper()
	port := func(name, scope string) any {
		return map[string]any{"name": name, "protocol": "HTTP", "scope": scope}
	}
	c.Create(acctest.KubeAppImages, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kuscia.secretflow/v1alpha1", "kind": "AppImage", "metadata": map[string]any{"name": name},
		"spec": map[string]any{
			"image":           map[string]any{"name": "secretflow/serving-anolis8", "tag": "latest"},
			"configTemplates": map[string]any{"serving.conf": applicationFile},
			"deployTemplates": []any{map[string]any{"name": "app", "replicas": int64(1), "spec": map[string]any{"containers": []any{map[string]any{
				"name": "main", "workingDir": "/root/sf_serving", "command": []any{"sh", "-c", command},
				"configVolumeMounts": []any{map[string]any{"mountPath": "/etc/serving.conf", "subPath": "serving.conf"}},
				"ports":              []any{port("service", "Domain"), port("communication", "Cluster")},
			}}}}},
		},
	}})
	return name
}

// judged checks what is said of SecretFlow-Serving: how often, how severe, and with which texts.
func judged(t *testing.T, said, severity string, times int, texts ...string) {
	t.Helper()
	if got := strings.Count(said, wouldNotStart); got != times || times > 0 && strings.Count(said, severity+": Attr") != times {
		t.Errorf("it is said %d times, want %d of %s: %s", got, times, severity, said)
	}
	protocol.Says(t, "the message", said, texts...)
}

// TestApplication shows what a plan of a new deployment says of SecretFlow-Serving: each cause
// once, and nothing of what it does not know.
func TestApplication(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	right, idle := b.applicationImage(b.name+"-sf", applicationCommand), b.applicationImage(b.name+"-idle", "./secretflow_serving --config_mode=kuscia --flagfile=conf/gflags.conf")
	parties := func(alice, bob any) tree {
		return tree{"alice": tree{"app_image": alice}, "bob": tree{"app_image": bob}}
	}
	for name, test := range map[string]struct {
		with  tree
		times int
		says  []string
	}{
		"right":            {tree{"input_config": runsText}, 0, nil},
		"an unknown field": {tree{"input_config": wrongText}, 1, []string{`input_config.partyConfigs.bob.hiddenKey: The application has no such field`, `Parties "alice", "bob" would not start`}},
		"two causes":       {tree{"input_config": wrongText, "parties": parties(right, idle)}, 2, []string{`ElementKeyString("bob").AttributeName("app_image")`, "--serving_config_file"}},
		"no JSON":          {tree{"input_config": "plain"}, 1, []string{"not the JSON object that the application reads"}},
		"no text":          {tree{}, 1, []string{"The text is empty"}},
		"another one":      {tree{"input_config": wrongText, "parties": parties(b.name, b.name)}, 0, nil},
		"off":              {tree{"input_config": wrongText, "check_application": false}, 0, nil},
		"off, perhaps":     {tree{"input_config": wrongText, "check_application": definition.Unknown}, 0, nil},
		"unknown text":     {tree{"input_config": definition.Unknown}, 0, nil},
		"hidden text":      {tree{"input_config_wo": wrongText, "input_config_wo_version": int64(1)}, 0, nil},
		"unknown parties":  {tree{"input_config": wrongText, "parties": definition.Unknown}, 0, nil},
		"an unknown party": {tree{"input_config": runsText, "parties": tree{"alice": tree{"app_image": right}, "b": tree{"domain_id": definition.Unknown, "app_image": right}}}, 0, nil},
		"an unknown image": {tree{"input_config": wrongText, "parties": parties(right, definition.Unknown)}, 1, []string{`Parties "alice", "bob"`}},
		"one party":        {tree{"input_config": runsText, "parties": tree{"alice": tree{"app_image": right}}}, 1, []string{"at least two parties"}},
	} {
		b.again(t)
		said := b.planSays(t, b.config(merged(tree{"parties": parties(right, right)}, test.with), nil), b.None())
		t.Run(name, func(t *testing.T) { judged(t, said, "ERROR", test.times, test.says...) })
	}
}

// TestApplicationOfTheSamePlan shows that an app image which the same run plans is judged as
// planned, and not as long as it is not known.
func TestApplicationOfTheSamePlan(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	right := b.applicationImage(b.name+"-sf", applicationCommand)
	config := b.config(tree{"input_config": runsText, "parties": tree{"alice": tree{"app_image": right}, "bob": tree{"app_image": right}}}, nil)
	for name, test := range map[string]struct {
		planned *kuscia.AppImage
		times   int
	}{
		"wrong":   {&kuscia.AppImage{Name: right, Image: kuscia.AppImageInfo{Name: "secretflow/serving-anolis8"}, DeployTemplates: []kuscia.DeployTemplate{{Containers: []kuscia.Container{{Name: "main"}}}}}, 1},
		"another": {&kuscia.AppImage{Name: right, Image: kuscia.AppImageInfo{Name: "example/app"}, DeployTemplates: []kuscia.DeployTemplate{{Containers: []kuscia.Container{{Name: "main"}}}}}, 0},
		"unknown": {nil, 0},
	} {
		b.again(t)
		b.c.AppImages = run.NewAppImageCache((*kuscia.Client)(nil))
		b.c.Objects.Record(run.TypeAppImage, right, run.Planned)
		if b.c.AppImages.RecordPlannedUnknown(right, nil); test.planned != nil {
			b.c.AppImages.RecordPlanned(test.planned)
		}
		said := b.planSays(t, config, b.None())
		t.Run(name, func(t *testing.T) { judged(t, said, "ERROR", test.times) })
	}
}

// TestApplicationInApply shows that a hidden text is judged before anything is sent, and that it
// is not quoted; that a deployment which does not change, or is scaled, gets warnings, also after
// an import, and an update of what is checked an error; and that check_application is only in the state.
func TestApplicationInApply(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	right := b.applicationImage(b.name+"-sf", applicationCommand)
	config := func(with tree) definition.Value {
		return b.config(merged(tree{"wait_for_rollout": false, "parties": tree{"alice": tree{"app_image": right}, "bob": tree{"app_image": right}}}, with), nil)
	}
	state, said := b.Apply(t, config(tree{"input_config_wo": wrongText, "input_config_wo_version": int64(1)}), b.None())
	judged(t, said, "ERROR", 1, "input_config_wo.partyConfigs.bob: The application has no such field.")
	if strings.Contains(said, "hiddenKey") || !state.Value.IsNull() || b.deployment() != nil {
		t.Errorf("after the refused create the state is %s, the deployment is %v, it says %s", state.Value, b.deployment(), said)
	}

	state, said = b.Apply(t, config(tree{"input_config": wrongText, "check_application": false}), b.None())
	judged(t, said, "", 0)
	generation := b.deployment().GetGeneration()
	checked := config(tree{"input_config": wrongText})
	state, said = b.Apply(t, checked, state)
	if now := b.deployment().GetGeneration(); now != generation || strings.Contains(said, "ERROR") {
		t.Errorf("check_application sends something: %s", said)
	}
	judged(t, b.planSays(t, checked, state), "WARNING", 1, "hiddenKey")
	judged(t, b.planSays(t, config(tree{"input_config": strings.Replace(wrongText, "hiddenKey\":1", "hiddenKey\":2", 1)}), state), "ERROR", 1, "hiddenKey")
	judged(t, b.planSays(t, config(tree{"input_config": wrongText, "labels": map[string]string{"a": "b"}}), state), "WARNING", 1, "hiddenKey")
	scaled := config(tree{"input_config": wrongText, "parties": tree{"alice": tree{"app_image": right, "replicas": int64(2)}, "bob": tree{"app_image": right}}})
	judged(t, b.planSays(t, scaled, state), "WARNING", 1, "hiddenKey")
	judged(t, b.planSays(t, config(tree{"input_config": runsText}), state), "", 0)
	judged(t, b.planSays(t, checked, b.Imported(t, b.name)), "WARNING", 1, "hiddenKey")
	if _, said := b.Apply(t, scaled, state); strings.Contains(said, "ERROR") {
		t.Errorf("it cannot be scaled: %s", said)
	}
}
