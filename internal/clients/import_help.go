package clients

import "fmt"

// ImportHelp says how an existing object comes under a resource, for the error
// that its id is taken. The block and the command can be copied as they are,
// but for the name; otherwise is the other way out.
func ImportHelp(resourceType, id, otherwise string) string {
	return fmt.Sprintf("If it is to be managed here, import it, with an import block in the configuration\n\n"+
		"  import {\n    to = %[1]s.NAME\n    id = %[2]q\n  }\n\n"+
		"or with the command\n\n  terraform import %[1]s.NAME %[2]s\n\n"+
		"where NAME is the name that the resource has in the configuration. Otherwise %[3]s.", resourceType, id, otherwise)
}
