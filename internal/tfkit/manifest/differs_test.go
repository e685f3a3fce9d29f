package manifest

import (
	"slices"
	"testing"
)

// TestDiffers: other spellings and what is empty are the same, and what the KusciaAPI does not carry
// is not compared.
func TestDiffers(t *testing.T) {
	carried := Carried{
		"image": {"tag": nil}, "until": nil, "attributes": nil,
		"containers": {"name": nil, "cpu": Amount, "port": Text, "args": nil},
	}
	container := func(fields Object) Object { return Object{"containers": []any{fields}} }
	for name, test := range map[string]struct {
		stored, returned Object
		want             []string
	}{
		"empty":            {Object{"image": Object{"tag": ""}, "attributes": Object{}}, Object{}, nil},
		"not carried":      {Object{"image": Object{"tag": "1", "size": int64(2)}, "other": true}, Object{"image": Object{"tag": "1"}}, nil},
		"text":             {Object{"image": Object{"tag": "1.10"}}, Object{"image": Object{"tag": "1.1"}}, []string{"spec.image.tag"}},
		"missing":          {Object{"image": Object{"tag": "1"}}, Object{}, []string{"spec.image.tag"}},
		"amount":           {container(Object{"cpu": "1000m"}), container(Object{"cpu": "1"}), nil},
		"amount as number": {container(Object{"cpu": int64(2)}), container(Object{"cpu": "2"}), nil},
		"other amount":     {container(Object{"cpu": "2"}), container(Object{"cpu": "1"}), []string{"spec.containers[0].cpu"}},
		"hidden number":    {container(Object{"port": int64(80)}), container(Object{"port": ""}), nil},
		"time":             {Object{"until": "2030-01-01T08:00:00+08:00"}, Object{"until": "2030-01-01T00:00:00Z"}, nil},
		"more elements":    {Object{"containers": []any{Object{}, Object{}}}, container(Object{}), []string{"spec.containers"}},
		"list":             {container(Object{"args": []any{"a"}}), container(Object{"args": []any{"b"}}), []string{"spec.containers[0].args"}},
		"whole object":     {Object{"attributes": Object{"a": "1", "b": ""}}, Object{"attributes": Object{"a": "1"}}, nil},
	} {
		if got := differs(test.stored, test.returned, carried, "spec"); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
