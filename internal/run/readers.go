package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// WarnReaders warns in a plan of a change that other domains read by the grants that Kuscia has, that
// are in force, and that this run does not delete: the plan of the data does not show them. is reports whether it changes data of the domain, by its id. Without the
// permission to list grants there is no answer.
func (r *Run) WarnReaders(ctx context.Context, diags *diag.Diagnostics, title string, at path.Path, domain string, is func(domainDataID string) bool) {
	var unused diag.Diagnostics
	if !r.ReachedKuscia(ctx, &unused) {
		return
	}
	grants, _ := r.Kuscia.ListDomainDataGrants(ctx, kuscia.DomainDataGrantFilter{DomainID: domain})
	var users []User
	reader := map[string]string{}
	for _, g := range grants {
		if g.Data.Author == domain && is(g.Data.DomainDataID) && g.Status.Phase != kuscia.GrantUnavailable {
			grant := User{TypeNames: []string{"kuscia_domain_data_grant"}, ID: domain + "/" + g.Data.DomainDataGrantID}
			users, reader[grant.ID] = append(users, grant), httpapi.Text(g.Data.GrantDomain)
		}
	}
	var readers []string
	for _, grant := range r.keptUsers(ctx, users) {
		readers = append(readers, reader[grant.ID])
	}
	slices.Sort(readers)
	readers = slices.Compact(readers)
	if len(readers) == 0 {
		return
	}
	named := strings.Join(readers[:min(len(readers), maxUsers)], ", ")
	if more := len(readers) - maxUsers; more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	diags.AddAttributeWarning(at, title, fmt.Sprintf("Domains that have a grant, and read the data as it is after this change: %s.", named))
}
