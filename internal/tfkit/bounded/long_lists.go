package bounded

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// The framework's validation is quadratic in the length of a list, and in the
// number of diagnostics.
const (
	// maxObjects limits lists of objects that contain lists themselves, such as
	// parties.
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

// LongLists returns an error for each list in a value that is too long.
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
		if most := longest(at, of.ElementType); len(elements) > most {
			return []*tfprotov6.Diagnostic{{
				Severity: tfprotov6.DiagnosticSeverityError, Attribute: at, Summary: "Too many elements",
				Detail: fmt.Sprintf("%s: the list has %d elements, and at most %d are possible. Remove some, or divide them between several resources.", pathOf(&tfprotov6.Diagnostic{Attribute: at}), len(elements), most),
			}}
		}
		for i, element := range elements {
			found = append(found, LongLists(at.WithElementKeyInt(i), element)...)
		}
	}
	return found
}

// longest is the maximum length of a list with such elements.
func longest(at *tftypes.AttributePath, element tftypes.Type) int {
	if name, ok := at.LastStep().(tftypes.AttributeName); ok && wideTables[string(name)] > 0 {
		return wideTables[string(name)]
	}
	object, _ := element.(tftypes.Object)
	for _, attribute := range object.AttributeTypes {
		if list, ok := attribute.(tftypes.List); ok && list.ElementType.Is(tftypes.Object{}) {
			return maxObjects
		}
	}
	return maxRows
}
