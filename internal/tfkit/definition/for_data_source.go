package definition

import "slices"

// ForDataSource is the definition of a data source for the object: its attributes without those of a
// resource only (Local, NotReturned, Refused, timeouts), and those of Schema.DataSource.
func (d *Definition) ForDataSource() *Definition {
	return New(Schema{Attributes: append(dataSourceAttributes(d.schema.Attributes), d.schema.DataSource...), PartOf: d, Derive: d.schema.Derive})
}

func dataSourceAttributes(attributes []Attribute) []Attribute {
	var shown []Attribute
	for _, row := range attributes {
		if row.Local || row.NotReturned || row.Refused != "" {
			continue
		}
		row.Sensitive = row.Sensitive || row.WriteOnly && !row.Readable
		row.WriteOnly, row.Attributes, row.Since = false, dataSourceAttributes(row.Attributes), nil
		shown = append(shown, row)
	}
	return slices.Clip(shown)
}
