// Package identityschema stands in for the framework's package of this name.
package identityschema

type Attribute interface{ isAttribute() }

type Schema struct{ Attributes map[string]Attribute }

type StringAttribute struct {
	RequiredForImport bool
	Description       string
}

func (StringAttribute) isAttribute() {}
