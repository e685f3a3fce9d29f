package domaindata

import (
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// Kuscia's defaults for omitted attributes.
const (
	defaultVendor = "manual"
	formatUnknown = "UNKNOWN"
	// statusAvailable is the state of all data.
	statusAvailable = "Available"
)

// Attributes that other files refer to.
const (
	attrDomainID     = "domain_id"
	attrDomainDataID = "domaindata_id"
	attrName         = "name"
	attrType         = "type"
	attrRelativeURI  = "relative_uri"
	attrVendor       = "vendor"
	attrFileFormat   = "file_format"
	attrPartition    = "partition"
	attrAuthor       = "author"
	attrStatus       = "status"
)

// grantsDeletedNote is the last part of the warning of every replacement.
const grantsDeletedNote = "The replacement deletes the domain data and creates it again, and Kuscia deletes its grants with it. " +
	"A grant of this configuration that refers to the data, with domaindata_id = kuscia_domain_data.NAME.domaindata_id, and has the same provider configuration is replaced as well; all others must be created again."

// always replaces on every difference, and explains the effect on grants.
var always = definition.AlwaysBecause(grantsDeletedNote)

// emptied replaces if a value is removed.
func emptied(what string) definition.Replace {
	return definition.ReplaceWhenEmptied("Kuscia keeps " + what + " if an update has none, so removing them requires a replacement. " + grantsDeletedNote)
}

// dataSchema defines the attributes of domain data, named as in the API. The
// fields that an update keeps were observed on Kuscia v1.1.
func dataSchema() definition.Schema {
	return definition.Schema{
		Description: "Domain data: the description of a table, model, rule or report of a domain, with the data source that it is in. " +
			"The resource does not change the data itself, neither when it is created nor when it is deleted.\n\n" +
			"Kuscia changes domain data in place. Only removing the following requires a replacement: `attributes`, `columns`, `partition` and `file_format`. " +
			"A value of these that is unknown in the plan may turn out to be empty, so a replacement is planned as well: to avoid it, first apply the resource that provides the value, with `-target`. " +
			"Replacing domain data deletes its grants (`kuscia_domain_data_grant`) as well; the plan of a replacement warns about that. " +
			"A grant that refers to the data, with `domaindata_id = kuscia_domain_data.NAME.domaindata_id`, and has the same provider configuration is replaced with it; all others must be created again.\n\n" +
			"Data that another domain has granted appears in the list of the grantee as a copy, with the grantor as `author`. The copy belongs to the grant and cannot be managed.",
		Attributes: []definition.Attribute{
			{Name: attrDomainID, Replace: always, Description: "Domain that owns the data. Changing it replaces the domain data."},
			{Name: attrDomainDataID, Presence: definition.ServerDefault, Replace: always, Generate: newID,
				Description: "ID of the data, unique in the domain: lower-case letters, digits, hyphens and dots, at most 63 characters. If omitted, it is generated from `name` on create; configure it if an apply that is killed must not leave a second one. Changing it replaces the domain data."},
			{Name: attrName, Presence: definition.ServerDefault,
				Description: "Display name. Defaults to the last part of `relative_uri` on create, and does not change with it."},
			{Name: attrType, Description: "What the data is: `table`, `model`, `rule`, `report` or `unknown`; other values must be valid Kubernetes label values."},
			{Name: attrRelativeURI, Description: "Path of the data within the data source, for example `scores/2026.csv`. Without a leading `/`, which Kuscia removes on create but keeps on update."},
			{Name: "datasource_id", Presence: definition.Optional, Default: kuscia.DefaultDataSource,
				Description: "Data source that has the data, in the same domain. Default `" + kuscia.DefaultDataSource + "`, which the node of a domain creates on its first start. It must exist on every change of the data."},
			{Name: "attributes", Type: definition.StringMap, Presence: definition.Optional, SemanticEquality: definition.JSON, Replace: emptied("attributes"),
				Description: "Additional properties. They can be changed in place; removing all of them replaces the domain data."},
			{Name: attrPartition, Type: definition.Object, Presence: definition.Nullable, Replace: emptied("a partition"),
				Description: "How a table is partitioned. Removing it replaces the domain data.",
				Attributes: []definition.Attribute{
					{Name: attrType, Description: "`path` or `odps`."},
					{Name: "fields", Type: definition.ObjectList, Presence: definition.Optional, Description: "Columns that the table is partitioned by.", Attributes: columnAttributes()},
				}},
			{Name: "columns", Type: definition.ObjectList, Presence: definition.Optional, Replace: emptied("columns"),
				Description: "Columns of a table, in their order. They can be changed in place; removing all of them replaces the domain data.",
				Attributes: append(columnAttributes(),
					definition.Attribute{Name: "not_nullable", Type: definition.Bool, Presence: definition.Optional, Description: "Whether every row has a value. Default `false`."})},
			{Name: attrVendor, Presence: definition.Optional, Default: defaultVendor,
				Description: "Producer of the data. Default `manual`. Kuscia removes data of the vendor `secretflow` that is older than 30 days."},
			{Name: attrFileFormat, Presence: definition.Optional, Default: formatUnknown,
				Replace:     definition.ReplaceWhen("Kuscia keeps the file format if an update has UNKNOWN, so changing back to it requires a replacement. "+grantsDeletedNote, becomesUnknown),
				Description: "`CSV`, `BINARY` or `UNKNOWN` (default). Changing back to `UNKNOWN` replaces the domain data."},
			{Name: attrAuthor, Presence: definition.Computed, Description: "Domain that owns the data: for a copy of granted data, the grantor."},
			{Name: attrStatus, Presence: definition.Computed, Description: "State of the data. Kuscia always reports `Available`."},
		},
		Derive: derive,
	}
}

// derive returns what Kuscia gives to new data.
func derive(value, _ definition.Value) map[string]definition.Value {
	fields := definition.FieldsOf(value)
	derived := map[string]definition.Value{}
	if from := fields[attrRelativeURI]; !fields[attrName].IsKnown() && from.IsKnown() {
		derived[attrName] = definition.StringValue(lastPart(definition.StringOf(from)))
	}
	if !fields[attrAuthor].IsKnown() {
		derived[attrAuthor] = fields[attrDomainID]
	}
	if !fields[attrStatus].IsKnown() {
		derived[attrStatus] = definition.StringValue(statusAvailable)
	}
	return derived
}

func columnAttributes() []definition.Attribute {
	return []definition.Attribute{
		{Name: attrName, Description: "Name of the column."},
		{Name: attrType, Description: "Type of the column, for example `str`, `int` or `float`."},
		{Name: "comment", Presence: definition.Optional, Description: "Comment on the column."},
	}
}

// fileFormats are the values of file_format.
var fileFormats = []string{"CSV", "BINARY", formatUnknown}

// becomesUnknown reports whether a file format is removed, or may be.
func becomesUnknown(prior, planned definition.Value) bool {
	isSet := func(v definition.Value) bool {
		text := definition.StringOf(v)
		return text != "" && text != formatUnknown
	}
	return isSet(prior) && (!planned.IsKnown() || !isSet(planned))
}

// newID returns an ID for data without a configured one.
func newID(r definition.Reader) string {
	return kuscia.NewObjectID(r.String(attrName))
}
