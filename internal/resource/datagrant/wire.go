package datagrant

import (
	"math"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// grant is a grant with the text of its time, which check looks at.
type grant struct {
	kuscia.DomainDataGrant
	// timeProblem is what is wrong with the time of the limit, "" if nothing, and
	// timeText the time as configured: the wire has nanoseconds.
	timeText, timeProblem string
}

// toWire reads a planned grant.
func toWire(r definition.Reader) *grant {
	data := &kuscia.DomainDataGrantData{
		DomainID: r.Text(attrDomainID), DomainDataGrantID: r.Text(attrGrantID), DomainDataID: r.Text(attrDomainDataID), GrantDomain: r.Text(attrGrantDomain),
		Description: r.TextMap(attrDescription), Signature: r.Text(attrSignature),
	}
	g := &grant{DomainDataGrant: kuscia.DomainDataGrant{Data: data}}
	if limit, ok := r.Object(attrLimit); ok {
		var nanoseconds int64
		if limit.Has(attrExpiration) {
			g.timeText = limit.Text(attrExpiration)
			nanoseconds, g.timeProblem = parseTime(g.timeText)
		}
		data.Limit = &kuscia.GrantLimit{
			ExpirationTime: kuscia.Int64(nanoseconds), UseCount: limit.Int32(attrUseCount), FlowID: limit.Text("flow_id"),
			Components: limit.Texts("components"), Initiator: limit.Text("initiator"), InputConfig: limit.Text("input_config"),
		}
	}
	return g
}

// request is the body of a create and of an update, which is always sent whole.
func request(g *grant) *kuscia.DomainDataGrantRequest {
	return &kuscia.DomainDataGrantRequest{
		DomainID: g.Data.DomainID, DomainDataGrantID: g.Data.DomainDataGrantID, DomainDataID: g.Data.DomainDataID, GrantDomain: g.Data.GrantDomain,
		Limit: g.Data.Limit, Description: g.Data.Description, Signature: g.Data.Signature,
	}
}

// fromWire is the tree of an answer, which has no domain.
func fromWire(g *grant) definition.Tree {
	tree := definition.Tree{
		attrGrantID: g.Data.DomainDataGrantID, attrDomainDataID: g.Data.DomainDataID, attrGrantDomain: g.Data.GrantDomain, "author": g.Data.Author,
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

// parseTime is a time in nanoseconds since 1970, and what is wrong with it.
func parseTime(text string) (nanoseconds int64, problem string) {
	parsed, err := time.Parse(time.RFC3339Nano, text)
	switch {
	case err != nil:
		return 0, "it is no time in RFC 3339"
	case parsed.Nanosecond() != 0:
		return 0, "it has a part of a second, which Kuscia cuts off"
	case parsed.Unix() <= 0:
		return 0, "it is not after 1970, which Kuscia takes for no limit"
	case parsed.Unix() > math.MaxInt64/int64(time.Second):
		return 0, "it is after 2262, which Kuscia has no number for"
	}
	return parsed.UnixNano(), ""
}

// formatTime is the text of a time, null for none.
func formatTime(nanoseconds int64) any {
	if nanoseconds <= 0 {
		return nil
	}
	return time.Unix(0, nanoseconds).UTC().Format(time.RFC3339)
}
