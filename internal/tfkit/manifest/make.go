package manifest

import "maps"

// NotEmpty removes what is empty from an object: "", 0, false, and lists and objects without elements.
func NotEmpty(of Object) Object {
	maps.DeleteFunc(of, func(_ string, value any) bool { return isEmpty(value) })
	return of
}

// Texts returns an object of texts.
func Texts(of map[string]string) Object {
	out := make(Object, len(of))
	for name, text := range of {
		out[name] = text
	}
	return out
}

// List returns a list of texts.
func List(of []string) []any {
	out := make([]any, len(of))
	for i, text := range of {
		out[i] = text
	}
	return out
}
