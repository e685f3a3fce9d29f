// Package schema stands in for the framework's package of this name.
package schema

type Attribute interface{ isAttribute() }

type Block interface{ isBlock() }

type Schema struct {
	Attributes                       map[string]Attribute
	Blocks                           map[string]Block
	Description, MarkdownDescription string
}

type StringAttribute struct {
	Required, Optional, Computed, Sensitive, WriteOnly bool
	Description, MarkdownDescription                   string
}

type Int64Attribute struct {
	Optional, Computed               bool
	Description, MarkdownDescription string
}

type NestedAttributeObject struct{ Attributes map[string]Attribute }

type ListNestedAttribute struct {
	NestedObject                     NestedAttributeObject
	Sensitive                        bool
	Description, MarkdownDescription string
}

type SetAttribute struct{ Description, MarkdownDescription string }

type SetNestedAttribute struct {
	NestedObject                     NestedAttributeObject
	Description, MarkdownDescription string
}

type SetNestedBlock struct{ Description, MarkdownDescription string }

func (StringAttribute) isAttribute()     {}
func (Int64Attribute) isAttribute()      {}
func (ListNestedAttribute) isAttribute() {}
func (SetAttribute) isAttribute()        {}
func (SetNestedAttribute) isAttribute()  {}
func (SetNestedBlock) isBlock()          {}
