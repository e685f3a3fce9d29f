package deployment

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// object is a KusciaDeployment, as it is planned or as the cluster has it.
type object struct {
	// planned reads the planned one, and sent is the object to create from it.
	planned definition.Reader
	sent    *unstructured.Unstructured
	// found is the one of the cluster.
	found *kube.KusciaDeployment
}

// kusciaDeployment returns the object of the cluster, nil if there is none.
func (o *object) kusciaDeployment() *kube.KusciaDeployment {
	if o == nil {
		return nil
	}
	return o.found
}

// toWire converts a planned object.
func toWire(root definition.Reader) *object {
	return &object{planned: root, sent: toObject(root, nil)}
}

// foundObject decodes an object of the cluster.
func foundObject(live *unstructured.Unstructured, err error) (*object, error) {
	if err != nil {
		return nil, err
	}
	kd, err := decoded(live)
	return &object{found: kd}, err
}

// response converts an object of the cluster.
func response(o *object, known definition.Value) definition.Tree { return treeOf(o.found, known) }
