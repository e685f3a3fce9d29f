package datagrant

import (
	"encoding/base64"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/check"
)

// checkGrant reports problems of a grant.
func checkGrant(c *check.Checker, g *grant) {
	for _, id := range []struct{ name, value string }{{attrDomainDataID, g.Data.DomainDataID}, {attrGrantDomain, g.Data.GrantDomain}} {
		if problem := kuscia.CheckObjectID(id.value); problem != "" {
			c.Add(check.Refused, path.Root(id.name), id.value, "Invalid "+id.name, problem)
		}
	}
	if g.Data.GrantDomain == g.Data.DomainID {
		c.Add(check.Refused, path.Root(attrGrantDomain), "", "Grant to the owner",
			fmt.Sprintf("%q owns the data and needs no grant. Set the domain that uses them.", httpapi.Text(g.Data.GrantDomain)), path.Root(attrDomainID))
	}
	if _, err := base64.StdEncoding.DecodeString(g.Data.Signature); err != nil {
		c.Add(check.Unusable, path.Root(attrSignature), "", "Invalid base64", "signature must be base64. Kuscia would store it, and the grant would never be valid.")
	}
	limit := g.Data.Limit
	if limit == nil {
		return
	}
	if g.timeProblem != "" {
		c.Add(check.Refused, path.Root(attrLimit).AtName(attrExpiration), "", "Invalid time",
			fmt.Sprintf("%q cannot be used: %s. Write a time with whole seconds, for example \"2030-01-31T00:00:00Z\"; omit it for no limit.", httpapi.Text(g.timeText), g.timeProblem))
	}
	if end := int64(limit.ExpirationTime); end > 0 && end < time.Now().UnixNano() {
		c.Add(check.Doubtful, path.Root(attrLimit).AtName(attrExpiration), "", "Grant has expired",
			fmt.Sprintf("%q is in the past, so that the grant cannot be used. Set a later time, omit it for no limit, or remove the grant.", httpapi.Text(g.timeText)))
	}
	if limit.UseCount < 0 {
		c.Add(check.Unusable, path.Root(attrLimit).AtName(attrUseCount), "", "Negative number of uses", fmt.Sprintf("use_count is %d, with which the grant could never be used. Use a number from 1, or 0 for no limit.", limit.UseCount))
	}
}
