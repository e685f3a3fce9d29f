package bounded

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// The framework's validation is quadratic in the length of a list, and in the
// number of diagnostics.
const (
	// maxObjects limits lists and maps of objects that contain such themselves, as
	// parties do.
	maxObjects = 200
	// minObject is less than what an object in such a list takes in a request,
	// which has the names of all attributes: shorter requests are not decoded.
	minObject = 40
	// maxRows limits lists of other objects.
	maxRows = 1000
)

// wideTables are the lists, by name, that are longer in practice: a table may
// have thousands of columns.
var wideTables = map[string]int{"columns": 5000}

// LongLists returns an error for each list or map of objects in a value that is too long.
func LongLists(at *tftypes.AttributePath, value tftypes.Value) (found []*tfprotov6.Diagnostic) {
	if !value.IsKnown() || value.IsNull() {
		return nil
	}
	switch of := value.Type().(type) {
	case tftypes.Object:
		var fields map[string]tftypes.Value
		if value.As(&fields) != nil {
			return nil
		}
		for name, field := range fields {
			found = append(found, LongLists(at.WithAttributeName(name), field)...)
		}
	case tftypes.List:
		var elements []tftypes.Value
		if !of.ElementType.Is(tftypes.Object{}) || value.As(&elements) != nil {
			return nil
		}
		if found = tooMany(at, of.ElementType, len(elements)); found != nil {
			return found
		}
		for i, element := range elements {
			found = append(found, LongLists(at.WithElementKeyInt(i), element)...)
		}
	case tftypes.Map:
		var elements map[string]tftypes.Value
		if !of.ElementType.Is(tftypes.Object{}) || value.As(&elements) != nil {
			return nil
		}
		if found = tooMany(at, of.ElementType, len(elements)); found != nil {
			return found
		}
		for key, element := range elements {
			found = append(found, LongLists(at.WithElementKeyString(key), element)...)
		}
	}
	return found
}

// tooMany is the error about a list or map with more elements than possible.
func tooMany(at *tftypes.AttributePath, element tftypes.Type, n int) []*tfprotov6.Diagnostic {
	most := longest(at, element)
	if n <= most {
		return nil
	}
	return []*tfprotov6.Diagnostic{{
		Severity: tfprotov6.DiagnosticSeverityError, Attribute: at, Summary: "Too many elements",
		Detail: fmt.Sprintf("%s has %d elements, and at most %d are possible. Remove some, or divide them between several resources.", pathOf(&tfprotov6.Diagnostic{Attribute: at}), n, most),
	}}
}

// longest is the maximum length of a list or map with such elements.
func longest(at *tftypes.AttributePath, element tftypes.Type) int {
	if name, ok := at.LastStep().(tftypes.AttributeName); ok && wideTables[string(name)] > 0 {
		return wideTables[string(name)]
	}
	object, _ := element.(tftypes.Object)
	for _, attribute := range object.AttributeTypes {
		switch nested := attribute.(type) {
		case tftypes.List:
			if nested.ElementType.Is(tftypes.Object{}) {
				return maxObjects
			}
		case tftypes.Map:
			if nested.ElementType.Is(tftypes.Object{}) {
				return maxObjects
			}
		}
	}
	return maxRows
}
