package fieldstest_test

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/acctest"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
)

const setKubernetes = "To keep them, set kubernetes in the provider block"

// TestAdviceWithCluster: where kubernetes is set and its cluster does not have the object, import and
// plan do not say that it is to be set.
func TestAdviceWithCluster(t *testing.T) {
	t.Parallel()
	for _, cluster := range []bool{true, false} {
		b := &bench{t, acctest.NewKube(t), acctest.NewSandbox(t, sandbox.Options{})}
		config := func(replicas int) protocol.Object {
			return protocol.Object{"name": "elsewhere", "image": object{"name": "example/app", "tag": "1"}, "deploy_templates": oneContainer("app", replicas)}
		}
		r := b.resource("kuscia_app_image", cluster)
		r.Create(t, protocol.Value(r.Kind, config(1)))
		state, imported := r.ImportWithWarnings(t, "elsewhere")
		plan, _ := r.Plan(t, protocol.Value(r.Kind, config(2)), state)
		for what, said := range map[string]string{"import": imported, "plan": about(plan)} {
			if strings.Contains(said, setKubernetes) == cluster || strings.Contains(said, "does not have the object") != cluster {
				t.Errorf("cluster %t: the %s says %s", cluster, what, said)
			}
		}
	}
}

// TestImportOfNothing: the import of an object that does not exist only says that.
func TestImportOfNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, id := range map[string]string{"kuscia_app_image": "none", route: "alice/none", grant: "alice/none", "kuscia_domain_data": "alice/none", "kuscia_domain": "none", "kuscia_serving": "none"} {
		for _, cluster := range []bool{true, false} {
			if state, said := b.resource(name, cluster).ImportWithWarnings(t, id); !state.Value.IsNull() || strings.Contains(said, "are not imported") {
				t.Errorf("%s: %s", name, said)
			}
		}
	}
}
