package domaindata

import (
	"cmp"
	"strings"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// toWire converts planned domain data. It sets Kuscia's defaults for empty
// values explicitly, because an update would keep the current ones.
func toWire(r definition.Reader) *kuscia.DomainData {
	data := &kuscia.DomainData{
		DomainID:     r.String(attrDomainID),
		DomainDataID: r.String(attrDomainDataID),
		Name:         r.String(attrName),
		Type:         r.String(attrType),
		RelativeURI:  r.String(attrRelativeURI),
		DataSourceID: cmp.Or(r.String("datasource_id"), kuscia.DefaultDataSource),
		Attributes:   r.StringMap("attributes"),
		Vendor:       cmp.Or(r.String(attrVendor), defaultVendor),
		FileFormat:   cmp.Or(r.String(attrFileFormat), formatUnknown),
	}
	if partition, ok := r.Object(attrPartition); ok {
		data.Partition = &kuscia.DataPartition{Type: partition.String(attrType)}
		for _, field := range partition.Objects("fields") {
			data.Partition.Fields = append(data.Partition.Fields, wireColumn(field))
		}
	}
	for _, column := range r.Objects("columns") {
		wire := wireColumn(column)
		wire.NotNullable = column.Bool("not_nullable")
		data.Columns = append(data.Columns, wire)
	}
	return data
}

func wireColumn(r definition.Reader) kuscia.DataColumn {
	return kuscia.DataColumn{Name: r.String(attrName), Type: r.String(attrType), Comment: r.String("comment")}
}

// request returns the body of create and update requests.
func request(data *kuscia.DomainData) *kuscia.DomainDataRequest {
	return &kuscia.DomainDataRequest{
		DomainID: data.DomainID, DomainDataID: data.DomainDataID, Name: data.Name, Type: data.Type,
		RelativeURI: data.RelativeURI, DataSourceID: data.DataSourceID, Attributes: data.Attributes,
		Partition: data.Partition, Columns: data.Columns, Vendor: data.Vendor, FileFormat: data.FileFormat,
	}
}

// fromWire converts a response into attribute values.
func fromWire(data *kuscia.DomainData) definition.Tree {
	tree := definition.Tree{
		attrDomainID: data.DomainID, attrDomainDataID: data.DomainDataID, attrName: data.Name, attrType: data.Type,
		attrRelativeURI: data.RelativeURI, "datasource_id": data.DataSourceID, "attributes": data.Attributes,
		attrVendor: data.Vendor, attrFileFormat: data.FileFormat, attrAuthor: data.Author, attrStatus: data.Status,
		"columns": definition.Each(data.Columns, func(c kuscia.DataColumn) definition.Tree {
			tree := treeColumn(c)
			tree["not_nullable"] = c.NotNullable
			return tree
		}),
	}
	if data.Partition != nil {
		tree[attrPartition] = definition.Tree{attrType: data.Partition.Type, "fields": definition.Each(data.Partition.Fields, treeColumn)}
	}
	return tree
}

func treeColumn(c kuscia.DataColumn) definition.Tree {
	return definition.Tree{attrName: c.Name, attrType: c.Type, "comment": c.Comment}
}

// lastPart returns the last segment of a path.
func lastPart(uri string) string { return uri[strings.LastIndex(uri, "/")+1:] }
