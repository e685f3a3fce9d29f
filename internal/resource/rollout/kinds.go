package rollout

import (
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kruise"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// kindOf returns the kind of a workload. The plural rule covers all kinds that
// the checks allow.
func kindOf(ref kruise.ObjectRef) kube.Kind {
	group, version, _ := strings.Cut(ref.APIVersion, "/")
	return kube.Kind{Group: group, Version: version, Resource: strings.ToLower(ref.Kind) + "s", Kind: ref.Kind}
}
