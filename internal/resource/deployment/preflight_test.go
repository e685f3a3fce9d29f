package deployment

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestCheckDeployment: the wait reads the Deployments of the parties of this control plane, so
// that only for these a permission may be missing. A domain that may not be read counts as
// one of these, as in the wait. A new party cannot have the Deployment of another
// KusciaDeployment.
func TestCheckDeployment(t *testing.T) {
	t.Parallel()
	forbidden := fmt.Errorf("it is forbidden: %w", kube.ErrForbidden)
	for name, test := range map[string]struct {
		role               string
		domain, deployment error
		owner              string
		isNew, noWait      bool
		reads, refused     bool
	}{
		"readable":          {reads: true},
		"no Deployment yet": {deployment: apierror.ErrNotFound, reads: true},
		"unavailable":       {deployment: apierror.ErrUnavailable, reads: true},
		"forbidden":         {deployment: forbidden, reads: true, refused: true},
		"partner":           {role: "partner", deployment: forbidden},
		"no domain":         {domain: apierror.ErrNotFound, deployment: forbidden},
		"unreadable domain": {domain: forbidden, deployment: forbidden, reads: true, refused: true},
		"of another name":   {owner: "kd-client", isNew: true, reads: true, refused: true},
		"without a wait":    {owner: "kd-client", isNew: true, noWait: true, reads: true, refused: true},
		"of no deployment":  {isNew: true, reads: true, refused: true},
		"of this name":      {owner: "kd", isNew: true, reads: true},
		"of an update":      {owner: "kd-client", reads: true},
		"not needed":        {deployment: forbidden, isNew: true, noWait: true, reads: true},
	} {
		reads := ""
		objects := clusterObjects{
			waits: !test.noWait, isNew: test.isNew,
			isPlanned: func(kube.Kind, string) bool { return false },
			get: func(kube.Kind, string) (*unstructured.Unstructured, error) {
				return &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"role": test.role}}}, test.domain
			},
			readDeployment: func(namespace, name string) (*unstructured.Unstructured, error) {
				reads = namespace + "/" + name
				existing := &unstructured.Unstructured{}
				existing.SetLabels(map[string]string{kube.LabelKDName: test.owner})
				return existing, test.deployment
			},
		}
		root, _ := definition.Read(kusciaDeployment.Definition.Complete(kusciaDeployment.Definition.Encode(valid(of(attrRole, "client")))), definition.Value{})
		var diags diag.Diagnostics
		for key, p := range root.ObjectMap(attrParties) {
			checkDeployment(objects, "kd", p, partiesPath.AtMapKey(key), &diags)
		}
		if (reads == "alice/kd-client") != test.reads || (reads != "") != test.reads || diags.HasError() != test.refused {
			t.Errorf("%s: %q is read; %v", name, reads, diags)
		}
	}
}
