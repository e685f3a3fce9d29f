package serving_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/wait"
)

// TestPodsSayWhy: a wait that fails names each party whose pods do not run, with what its pods say,
// as the guide shows it.
func TestPodsSayWhy(t *testing.T) {
	t.Parallel()
	k := acctest.NewKube(t)
	k.RequireSimulated(t, "pods that fail")
	c := newClustered(t, k)
	parties := protocol.Object{}
	for domain, image := range map[string]string{"alice": "secretflow/serving-anolis8", "bob": "registry.bob.example/broken"} {
		parties[domain] = protocol.Object{"replicas": 2, "app_image": c.env.AppImage(application, func(i *kuscia.AppImage) {
			i.Name, i.Image.Name, i.Image.Tag = c.name+"-"+domain, image, "0.8.0b0"
			i.ConfigTemplates["serving.conf"] = strings.TrimSuffix(i.ConfigTemplates["serving.conf"], "}") + `,"oss_meta":"{{.SERVING_OSS_META}}"}`
			i.DeployTemplates[0].Containers[0].Name = "secretflow"
		})}
	}
	apply := func(with protocol.Object) string {
		r := c.resource()
		c.state, c.said = r.Apply(t, c.config(r, "v1", protocol.With(protocol.Object{
			"parties": parties, "timeouts": protocol.Object{"update": "3s"}, "serving_input_config": strings.Replace(runsText, "ST_FILE", "ST_OSS", 1),
		}, with)), c.state)
		return c.said
	}
	if said := apply(protocol.Object{"wait_for_rollout": false}); strings.Contains(said, "ERROR") {
		t.Fatal(said)
	}
	k.FailingPods(c.name, 4)
	said := apply(nil)
	words := func(text, name string) string {
		return strings.Join(strings.Fields(acctest.PodText(text, name, "glm")), " ")
	}
	_, page, _ := strings.Cut(testfile.Read(t, "../../../templates/guides/when-an-apply-fails.md.tmpl"), "```text\nError: Serving was created but does not run\n")
	page, _, complete := strings.Cut(page, "Pods of serving")
	if !complete || strings.Contains(page, "```") {
		t.Fatal("the guide does not have the error")
	}
	protocol.Says(t, "the wait", words(said, c.name), words(page, "glm"))
}

// TestCrashWithoutCluster: without a cluster, the message of the application is that of the moment
// when its container had ended.
func TestCrashWithoutCluster(t *testing.T) {
	t.Parallel()
	timing, err := sandbox.TimingByName("real")
	if err != nil {
		t.Fatal(err)
	}
	l := starting(t, sandbox.Options{Timing: timing}, application).set(attrs{
		"serving_input_config": wrongText, "check_application": false, "wait_for_rollout": true, "timeouts": attrs{"create": "6s"},
	})
	says(t, "the create", l.try(), "was created but does not run", "Pods do not run: domainID: ", wait.PodHint("CrashLoopBackOff"), "Kuscia tells this of one party at a time",
		"reason: Error, message: server startup failed, code: 9, msg: json to pb failed, msg:INVALID_ARGUMENT:(party_configs[1].value) hiddenKey: Cannot find field.")
}
