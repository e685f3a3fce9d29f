package party

import (
	"fmt"
	"slices"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// NewPorts returns the ports of a template that are not allocated. Kuscia
// allocates ports once, when a serving or a KusciaDeployment is created; a new
// port blocks every later update while the state stays Available (v1.1).
func NewPorts(template *kuscia.DeployTemplate, allocated []string) []string {
	return slices.DeleteFunc(PortNames(template), func(name string) bool { return slices.Contains(allocated, name) })
}

// DescribeNewPorts describes why new ports are rejected on a live object, a
// "serving" or a "deployment". found lists the ports, and instead describes the
// alternatives to a taint. It advises against -replace: Terraform plans the
// update first, and ends with its errors.
func DescribeNewPorts(of, found, instead string) string {
	return fmt.Sprintf("%s Kuscia allocates ports only when a %[2]s is created: it would accept the change, report Available with the old pods, and never apply this or any later update.\n\n"+
		"To replace the %[2]s, run terraform taint ADDRESS and then apply: -replace=ADDRESS fails with this error, too. Alternatively, %[3]s.", found, of, instead)
}
