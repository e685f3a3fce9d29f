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
	{ErrDomainMissing, "One of the two domains does not exist. Create it first, for instance by referring to its resource."},
	{ErrDataSourceMissing, "The domain has no such data source, or does not exist. The node of a domain makes " + DefaultDataSource +
		" when it first starts; until then create a data source at that node and name it."},
	{ErrDomainDataMissing, "The domain has no such data, or does not exist. Create them first, for instance by referring to their resource."},
	{ErrUnreadable, "The data source exists, and its node cannot show it: it was stored without information, or the configuration behind its info_key " +
		"is gone or not the JSON of its type. Write the configuration again, or give the data source its information in an update."},
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
		return "Kuscia cannot show a route that authenticates with MTLS and has no mtls_config (Kuscia v1.1). The route exists; delete it, and create it with the block."
	case strings.HasPrefix(e.Op, "domaindatasource/") && e.Is(ErrUnsupported):
		return "A master does not change data sources. Use the endpoint of the node of the domain, autonomy or lite, for instance with a provider alias."
	case e.Is(ErrUnauthorized) && (strings.Contains(e.Message, "can't operate domain") || strings.Contains(e.Message, "could only operate")):
		return "The endpoint belongs to the node of another domain. Use the endpoint of the domain's own node, or of the master where it may do this."
	case e.Op == opCreateRoute.Name && e.Is(ErrExists):
		return "A route of this name exists. The name is source-destination, so that a to b-c and a-b to c cannot both exist. " +
			"If it is the same route, import it; otherwise give one of the domains another id."
	}
	return ""
}
