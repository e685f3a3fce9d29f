package sandbox

import (
	"fmt"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// Edit changes an object as another client of the cluster does: not through the KusciaAPI, which
// does not carry all fields. T is a type of objects. An object that does not exist is ErrUnknown.
func Edit[T any](s *Sandbox, namespace, name string, change func(object *T)) error {
	defer s.node.ControlPlane.Acquire()()
	table := server.TableOf[T](s.node.ControlPlane)
	object := table.Get(namespace, name)
	if object == nil {
		return fmt.Errorf("%s %q: %w", objects.KindOf[T]().Name, name, ErrUnknown)
	}
	change(object)
	return table.Update(object)
}
