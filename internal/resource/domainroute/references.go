package domainroute

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/crud"
)

// references are the domains of a route. Kuscia does not look up that of a transit.
func references(route *kuscia.DomainRoute) []crud.Reference {
	const refused = "It refuses a route whose domain it does not have (error code 11305)."
	all := []crud.Reference{
		crud.DomainReference(route.Source, atSource, refused),
		crud.DomainReference(route.Destination, atDestination, refused),
	}
	if route.Transit != nil && route.Transit.Domain != nil {
		through := crud.DomainReference(route.Transit.Domain.DomainID, atTransit.AtName("domain_id"),
			"It accepts the route, which cannot work until the domain exists. Check the ID.")
		through.Accepted = true
		all = append(all, through)
	}
	return all
}
