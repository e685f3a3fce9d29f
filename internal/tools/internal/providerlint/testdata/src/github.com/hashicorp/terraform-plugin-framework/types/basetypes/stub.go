// Package basetypes stands in for the framework's package of this name.
package basetypes

type SetType struct{ ElemType any }

type ListType struct{ ElemType any }
