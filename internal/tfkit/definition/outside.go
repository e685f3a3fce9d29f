package definition

import "slices"

// Outside is the definition of what a data source shows: the rows without what
// is the state's alone, and more.
func (d *Definition) Outside(more ...Attribute) *Definition {
	return New(Schema{Attributes: append(outside(d.schema.Attributes), more...), Derive: d.schema.Derive})
}

func outside(rows []Attribute) []Attribute {
	var shown []Attribute
	for _, row := range rows {
		if row.Local || row.NotReturned {
			continue
		}
		// What has a write-only form is sensitive wherever it is shown.
		row.Sensitive = row.Sensitive || row.WriteOnly
		row.WriteOnly, row.Attributes = false, outside(row.Attributes)
		shown = append(shown, row)
	}
	return slices.Clip(shown)
}
