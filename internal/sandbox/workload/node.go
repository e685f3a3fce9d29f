package workload

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// node is what a node of a domain has, for each pod: pods share none here. In the recordings a
// pod of a thousand processors ran.
var node = map[string]resource.Quantity{"cpu": resource.MustParse("4096"), "memory": resource.MustParse("64Ti")}

// tooLarge is what the scheduler says of a pod that no node can take, "" for any other pod.
func tooLarge(pod objects.PodSpec) string {
	var missing []string
	for _, name := range []string{"cpu", "memory"} {
		var requested resource.Quantity
		for _, c := range pod.Containers {
			amount, is := c.Resources.Requests[name]
			if !is {
				amount = c.Resources.Limits[name]
			}
			requested.Add(amount)
		}
		if requested.Cmp(node[name]) > 0 {
			missing = append(missing, "1 Insufficient "+name)
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return fmt.Sprintf("0/1 nodes are available: %s.", strings.Join(missing, ", "))
}
