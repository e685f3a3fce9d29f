package manifest

import "reflect"

// NotEmpty removes what is empty from an object: "", 0, false, and lists and objects without elements.
func NotEmpty(of Object) Object {
	for name, value := range of {
		switch v := reflect.ValueOf(value); v.Kind() {
		case reflect.Slice, reflect.Map:
			if v.Len() == 0 {
				delete(of, name)
			}
		default:
			if !v.IsValid() || v.IsZero() {
				delete(of, name)
			}
		}
	}
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
