package kuscia

import (
	"errors"
	"strings"
)

// objectHints are hints for errors of one kind about domains and their objects.
var objectHints = []struct {
	kind error
	hint string
}{
	{ErrDomainMissing, "One of the two domains does not exist. Create it first, for example by referring to its resource."},
	{ErrDataSourceMissing, "The domain has no such data source, or does not exist. The node of a domain creates " + DefaultDataSource +
		" on its first start; until then create a data source at that node and refer to it."},
	{ErrDomainDataMissing, "The domain has no such data, or does not exist. Create them first, for example by referring to their resource."},
	{ErrUnreadable, "The data source exists, but its node cannot return it: it was stored without access information, or the configuration entry of its info_key " +
		"is missing or is not valid JSON for its type. Write the entry again, or set the access information in an update."},
}

// objectHint returns the hint for an error about these objects, or "".
func objectHint(e *Error) string {
	for _, row := range objectHints {
		if errors.Is(e, row.kind) {
			return row.hint
		}
	}
	switch {
	case CodeOf(e) == CodeUnexpected && e.Op == opQueryRoute.Name && strings.Contains(e.Message, "nil pointer"):
		return "Kuscia cannot return a route that authenticates with MTLS and has no mtls_config (Kuscia v1.1). The route exists; delete it, and create it with the block."
	case strings.HasPrefix(e.Op, "domaindatasource/") && e.Is(ErrUnsupported):
		return "A master cannot change data sources. Use the endpoint of the node of the domain, autonomy or lite, for example with a provider alias."
	case e.Is(ErrUnauthorized) && (strings.Contains(e.Message, "can't operate domain") || strings.Contains(e.Message, "could only operate")):
		return "The endpoint belongs to the node of another domain. Use the endpoint of the domain's own node, or of the master if it is permitted to do this."
	case e.Op == opCreateRoute.Name && e.Is(ErrExists):
		return "A route with this name exists. The name is source-destination, so a to b-c and a-b to c cannot both exist. " +
			"If it is the same route, import it; otherwise use another ID for one of the domains."
	}
	return ""
}
