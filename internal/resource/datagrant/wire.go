package datagrant

import (
	"math"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// grant is a grant with the configured text of its expiration time, for the
// checks.
type grant struct {
	kuscia.DomainDataGrant
	// timeProblem is the problem with the time of the limit, "" for none, and
	// timeText the time as configured; the API uses nanoseconds.
	timeText, timeProblem string
}

// toWire converts a planned grant.
func toWire(r definition.Reader) *grant {
	data := &kuscia.DomainDataGrantData{
		DomainID: r.String(attrDomainID), DomainDataGrantID: r.String(attrGrantID), DomainDataID: r.String(attrDomainDataID), GrantDomain: r.String(attrGrantDomain),
		Description: r.StringMap(attrDescription), Signature: r.String(attrSignature),
	}
	g := &grant{DomainDataGrant: kuscia.DomainDataGrant{Data: data}}
	if limit, ok := r.Object(attrLimit); ok {
		var nanoseconds int64
		if limit.Has(attrExpiration) {
			g.timeText = limit.String(attrExpiration)
			nanoseconds, g.timeProblem = parseTime(g.timeText)
		}
		data.Limit = &kuscia.GrantLimit{
			ExpirationTime: kuscia.Int64(nanoseconds), UseCount: limit.Int32(attrUseCount), FlowID: limit.String("flow_id"),
			Components: limit.Strings("components"), Initiator: limit.String("initiator"), InputConfig: limit.String("input_config"),
		}
	}
	return g
}

// request returns the body of create and update requests, which contain the
// whole grant.
func request(g *grant) *kuscia.DomainDataGrantRequest {
	return &kuscia.DomainDataGrantRequest{
		DomainID: g.Data.DomainID, DomainDataGrantID: g.Data.DomainDataGrantID, DomainDataID: g.Data.DomainDataID, GrantDomain: g.Data.GrantDomain,
		Limit: g.Data.Limit, Description: g.Data.Description, Signature: g.Data.Signature,
	}
}

// fromWire converts a response, which has no domain, into attribute values.
func fromWire(g *grant) definition.Tree {
	tree := definition.Tree{
		attrGrantID: g.Data.DomainDataGrantID, attrDomainDataID: g.Data.DomainDataID, attrGrantDomain: g.Data.GrantDomain, attrAuthor: g.Data.Author,
	}
	if limit := g.Data.Limit; limit != nil {
		tree[attrLimit] = definition.Tree{
			attrExpiration: formatTime(int64(limit.ExpirationTime)), attrUseCount: int64(limit.UseCount), "flow_id": limit.FlowID,
			"components": limit.Components, "input_config": limit.InputConfig,
		}
	}
	if status := g.Status; status != nil {
		tree["phase"], tree["message"] = status.Phase, status.Message
		tree["records"] = definition.Each(status.Records, func(r kuscia.GrantUseRecord) definition.Tree {
			return definition.Tree{"use_time": int64(r.UseTime), attrGrantDomain: r.GrantDomain, "component": r.Component, "output": r.Output}
		})
	}
	return tree
}

// parseTime returns a time in nanoseconds since 1970, and the problem with the
// text.
func parseTime(text string) (nanoseconds int64, problem string) {
	parsed, err := time.Parse(time.RFC3339Nano, text)
	switch {
	case err != nil:
		return 0, "it is not a time in RFC 3339"
	case parsed.Nanosecond() != 0:
		return 0, "it has a fraction of a second, which Kuscia truncates"
	case parsed.Unix() <= 0:
		return 0, "it is not after 1970, which Kuscia treats as no limit"
	case parsed.Unix() > math.MaxInt64/int64(time.Second):
		return 0, "it is after 2262, which Kuscia cannot represent"
	}
	return parsed.UnixNano(), ""
}

// formatTime returns the text of a time, null for none.
func formatTime(nanoseconds int64) any {
	if nanoseconds <= 0 {
		return nil
	}
	return time.Unix(0, nanoseconds).UTC().Format(time.RFC3339)
}
