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
	attrAuthor       = "author"
)

// grantSchema defines the attributes of a grant, named as in the API.
func grantSchema() definition.Schema {
	return definition.Schema{
		Description: "A grant of domain data to another domain: the grantee sees a copy of the description and may use the data within the limit.\n\n" +
			"A create waits up to two seconds until Kuscia has processed the grant and the grantee has its copy; it usually takes 0.15 s. If Kuscia takes longer, or the grantee does not exist yet, the create succeeds anyway and the grant is processed later. Kuscia never returns `description`, `signature` and `limit.initiator`: the state has the sent values, " +
			"a change by another client is not detected, and the first apply after an import sends the configured values. An update replaces all three, and the mode of the limit: those that are not configured are removed, unless the provider block sets `kubernetes`, with which an update keeps them (verbs `get` and `patch` of `domaindatagrants.kuscia.secretflow`). Without it, an update after an import is refused until `allow_removal_of` has what may go.\n\n" +
			"Whether a grant may be used (`phase`) is shown by the data source `kuscia_domain_data_grant`. Kuscia updates it only every ten minutes, even after a change or when the grant expires; " +
			"the copy in the domain of the grantee (`domain_id` is `grant_domain`, with the same ID) has the correct phase immediately.\n\n" +
			"Kuscia deletes the grants of domain data with it. When `kuscia_domain_data` is replaced, so is a grant that refers to it, with `domaindata_id = kuscia_domain_data.NAME.domaindata_id`, and has the same provider configuration; " +
			"without the reference, or with another provider alias, the next plan creates the grant again.",
		Attributes: []definition.Attribute{
			{Name: attrDomainID, Replace: definition.Always, Description: "Domain that owns the data. Changing it replaces the grant."},
			{Name: attrGrantID, Presence: definition.ServerDefault, Replace: definition.Always, Generate: newID,
				Description: "ID of the grant, unique in the domain: lower-case letters, digits, hyphens and dots, at most 63 characters. If omitted, it is generated from `domaindata_id` on create; configure it if an apply that is killed must not leave a second one. Changing it replaces the grant."},
			{Name: attrDomainDataID, Replace: definition.Always, Description: "ID of the data, which must exist when the grant is applied. Changing it replaces the grant."},
			{Name: attrGrantDomain, Replace: definition.Always, Description: "Domain that may use the data; not `domain_id`. Changing it replaces the grant: after an update in place the previous grantee would keep its copy."},
			{Name: attrLimit, Type: definition.Object, Presence: definition.Nullable, Description: "How long, how often and for what the data may be used. If omitted, there is no limit.", Attributes: []definition.Attribute{
				{Name: attrExpiration, Presence: definition.Nullable, SemanticEquality: definition.Instant, Description: "End of the grant, in RFC 3339 with whole seconds, for example `2030-01-31T00:00:00Z`. If omitted, it does not expire."},
				{Name: attrUseCount, Type: definition.Number, Presence: definition.Optional, Description: "How often the data may be used. `0` or omitted: unlimited."},
				{Name: "flow_id", Presence: definition.Optional, Description: "Only for this flow."},
				{Name: "components", Type: definition.StringList, Presence: definition.Optional, Description: "Only for these components, in their order."},
				{Name: "initiator", Presence: definition.Optional, NotReturned: true, Description: "Only for this initiator. Kuscia does not return it."},
				{Name: "input_config", Presence: definition.Optional, SemanticEquality: definition.JSON, Description: "Only for this input configuration. JSON is compared by content."},
			}},
			{Name: attrDescription, Type: definition.StringMap, Presence: definition.Optional, NotReturned: true, SemanticEquality: definition.JSON, Description: "Description, as key-value pairs. Kuscia does not return it."},
			{Name: attrSignature, Presence: definition.Optional, NotReturned: true, Description: "Signature of the grant with the key of the domain, in base64. Kuscia checks it against the certificate of the domain (`cert`), and does not return it. If omitted, nothing is verified."},
			{Name: attrAuthor, Presence: definition.Computed, Description: "Domain that owns the data."},
		},
		Derive: func(value, _ definition.Value) map[string]definition.Value {
			fields := definition.FieldsOf(value)
			if fields[attrAuthor].IsKnown() {
				return nil
			}
			return map[string]definition.Value{attrAuthor: fields[attrDomainID]}
		},
		DataSource: statusAttributes(),
	}
}

// statusAttributes are additional attributes of the data sources.
func statusAttributes() []definition.Attribute {
	return []definition.Attribute{
		{Name: "phase", Presence: definition.Computed, Description: "`Ready`, `Unavailable`, or empty until Kuscia has processed it, which requires that the grantee exists. Up to ten minutes old; that of the grantee's copy is not."},
		{Name: "message", Presence: definition.Computed, Description: "Why the grant is unavailable."},
		{Name: "records", Type: definition.ObjectList, Presence: definition.Computed, Description: "Uses of the data.", Attributes: []definition.Attribute{
			{Name: "use_time", Type: definition.Number, Presence: definition.Computed, Description: "Time of the use, as reported by Kuscia."},
			{Name: attrGrantDomain, Presence: definition.Computed, Description: "By whom."},
			{Name: "component", Presence: definition.Computed, Description: "Component that used the data."},
			{Name: "output", Presence: definition.Computed, Description: "Result of the use."},
		}},
	}
}

// newID returns an ID for a grant without a configured one.
func newID(r definition.Reader) string { return kuscia.NewObjectID(r.String(attrDomainDataID)) }
