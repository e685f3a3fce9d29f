package datagrant

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Attributes that other files refer to.
const (
	attrDomainID     = "domain_id"
	attrGrantID      = "domaindatagrant_id"
	attrDomainDataID = "domaindata_id"
	attrGrantDomain  = "grant_domain"
	attrLimit        = "limit"
	attrExpiration   = "expiration_time"
	attrUseCount     = "use_count"
	attrDescription  = "description"
	attrSignature    = "signature"
)

// grantSchema defines the attributes of a grant, named as in the API.
func grantSchema() definition.Schema {
	return definition.Schema{
		Description: "A grant of domain data to another domain: the grantee sees a copy of the description and may use the data within the limit.\n\n" +
			"A create waits up to two seconds for Kuscia to look at the grant, after which the grantee has its copy; it took 0.15 s on Kuscia v1.1. Where Kuscia takes longer, or the grantee does not exist yet, the create ends all the same and the grant is looked at later. Kuscia never shows `description`, `signature` and `limit.initiator`: the state has what was sent, " +
			"a change by somebody else is not seen, and after an import the first plan sends those of the configuration. An update replaces all three: what the configuration does not have is gone then.\n\n" +
			"Whether a grant may be used (`phase`) is shown by the data source `kuscia_domain_data_grant`. Kuscia looks at it again only every ten minutes, also after a change and when the time of the limit has come; " +
			"the copy in the domain of the grantee (`domain_id` is `grant_domain`, with the same id) has the right phase at once.\n\n" +
			"Kuscia deletes the grants of domain data with them. When `kuscia_domain_data` is replaced, so is a grant that refers to it, with `domaindata_id = kuscia_domain_data.NAME.domaindata_id`, and has the same provider configuration; " +
			"without the reference, or with another provider alias, the next plan creates the grant again.",
		Attributes: []definition.Attribute{
			{Name: attrDomainID, Replace: definition.Always, Description: "Domain that owns the data. Changing it replaces the grant."},
			{Name: attrGrantID, Presence: definition.ServerDefault, Replace: definition.Always, Generate: newID,
				Description: "Id of the grant, unique in the domain: lower-case letters, digits, hyphens and dots, at most 63 characters. Left out, one is made up at create, from `domaindata_id`. Changing it replaces the grant."},
			{Name: attrDomainDataID, Replace: definition.Always, Description: "Id of the data, which have to exist. Changing it replaces the grant."},
			{Name: attrGrantDomain, Replace: definition.Always, Description: "Domain that gets the data, another one than `domain_id`. Changing it replaces the grant: in place, the earlier grantee would keep its copy."},
			{Name: attrLimit, Type: definition.Object, Presence: definition.Nullable, Description: "How long, how often and for what the data may be used. Left out, there is no limit.", Attributes: []definition.Attribute{
				{Name: attrExpiration, Presence: definition.Nullable, SemanticEquality: definition.Instant, Description: "Until when, in RFC 3339 with whole seconds, for example `2030-01-31T00:00:00Z`. Left out, for ever."},
				{Name: attrUseCount, Type: definition.Number, Presence: definition.Optional, Description: "How often. `0` or left out: any number."},
				{Name: "flow_id", Presence: definition.Optional, Description: "Only for this flow."},
				{Name: "components", Type: definition.TextList, Presence: definition.Optional, Description: "Only for these components, in their order."},
				{Name: "initiator", Presence: definition.Optional, NotReturned: true, Description: "Only for this initiator. Kuscia does not show it."},
				{Name: "input_config", Presence: definition.Optional, Description: "Only for this input configuration."},
			}},
			{Name: attrDescription, Type: definition.TextMap, Presence: definition.Optional, NotReturned: true, Description: "Remarks as text by name. Kuscia does not show them."},
			{Name: attrSignature, Presence: definition.Optional, NotReturned: true, Description: "Signature of the grant with the key of the domain, in base64. Kuscia checks it against the certificate of the domain (`cert`), and does not show it. Left out, nothing is checked."},
			{Name: "author", Presence: definition.Computed, Description: "Domain that the data come from."},
		},
	}
}

// statusAttributes are additional attributes of the data sources.
func statusAttributes() []definition.Attribute {
	return []definition.Attribute{
		{Name: "phase", Presence: definition.Computed, Description: "`Ready`, `Unavailable`, or empty as long as Kuscia has not looked at it, which it does not while the grantee does not exist. Up to ten minutes old; that of the grantee's copy is not."},
		{Name: "message", Presence: definition.Computed, Description: "Why the grant is unavailable."},
		{Name: "records", Type: definition.ObjectList, Presence: definition.Computed, Description: "Uses of the data.", Attributes: []definition.Attribute{
			{Name: "use_time", Type: definition.Number, Presence: definition.Computed, Description: "When, as Kuscia gives it."},
			{Name: attrGrantDomain, Presence: definition.Computed, Description: "By whom."},
			{Name: "component", Presence: definition.Computed, Description: "With which component."},
			{Name: "output", Presence: definition.Computed, Description: "What came of it."},
		}},
	}
}

// newID returns an ID for a grant without a configured one.
func newID(r definition.Reader) string { return kuscia.NewObjectID(r.Text(attrDomainDataID)) }
