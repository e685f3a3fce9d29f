package domaindata

import (
	"cmp"
	"slices"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/manifest"
)

// customResource is a DomainData. The KusciaAPI returns UNKNOWN for a format that it does not know, and
// an update with UNKNOWN keeps the format.
var customResource = &manifest.CustomResource[kuscia.DomainData]{
	Kind: kube.DomainDatas,
	Name: func(id []string) (namespace, name string) { return id[0], id[1] },
	Fields: manifest.Fields{
		{Path: "partitions.fields.notNullable", Written: func(value any) bool { return value == false }},
		{Path: fieldFormat, Written: isReturnedFormat},
	},
	Carried: manifest.Carried{
		"relativeURI": nil, "author": nil, "name": nil, "type": nil, "dataSource": nil, "attributes": nil, "columns": nil, "vendor": nil,
		"partitions": {manifest.Whole: nil, "type": nil, "fields": {"name": nil, "type": nil, "comment": nil}},
	},
	Manifest:    toManifest,
	UpdateKeeps: func(_ manifest.Change[kuscia.DomainData], path string) bool { return path == fieldFormat },
	WrittenLabels: func(data *kuscia.DomainData) map[string]string {
		return map[string]string{"kuscia.secretflow/domaindata-type": data.Type, "kuscia.secretflow/domaindata-vendor": data.Vendor}
	},
}

const fieldFormat = "fileFormat"

// isReturnedFormat reports whether the KusciaAPI returns a format as it is stored.
func isReturnedFormat(value any) bool {
	format, _ := value.(string)
	return strings.ToLower(format) == format && slices.Contains(fileFormats, strings.ToUpper(format))
}

// toManifest returns the specification that the KusciaAPI writes for domain data. Only those that were read have an author.
func toManifest(data *kuscia.DomainData) manifest.Object {
	spec := manifest.NotEmpty(manifest.Object{
		"attributes": manifest.Texts(data.Attributes), "columns": manifestColumns(data.Columns),
		"vendor": data.Vendor,
	})
	if data.FileFormat != formatUnknown {
		spec[fieldFormat] = strings.ToLower(data.FileFormat)
	}
	for name, value := range map[string]string{ // these are required, and may be empty
		"relativeURI": data.RelativeURI, "author": cmp.Or(data.Author, data.DomainID), "name": data.Name, "type": data.Type, "dataSource": data.DataSourceID,
	} {
		spec[name] = value
	}
	if data.Partition != nil {
		spec["partitions"] = manifest.Object{"type": data.Partition.Type, "fields": manifestColumns(data.Partition.Fields)}
	}
	return spec
}

func manifestColumns(columns []kuscia.DataColumn) []any {
	out := make([]any, len(columns))
	for i, column := range columns {
		out[i] = manifest.NotEmpty(manifest.Object{"name": column.Name, "type": column.Type, "comment": column.Comment, "notNullable": column.NotNullable})
	}
	return out
}
