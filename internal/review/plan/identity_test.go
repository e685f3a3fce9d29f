package plan

import "testing"

// TestReadopted: an object that is forgotten and imported is compared with what the state had, one
// import with one object, however many have its identity.
func TestReadopted(t *testing.T) {
	t.Parallel()
	source := func(path string) Value {
		return Value{Raw: map[string]any{"domain_id": "alice", "datasource_id": "files", "localfs": map[string]any{"path": path}}}
	}
	object := func(action Action, provider, path string) Object {
		return Object{Address: "kuscia_domain_data_source." + string(action), Kind: "kuscia_domain_data_source", Action: action, Provider: provider, Before: source(path), After: source(path), Imported: action == None}
	}
	for name, test := range map[string]struct {
		objects []Object
		want    int
	}{
		"nothing":                   {nil, 0},
		"as it was":                 {[]Object{object(Forget, "kuscia", "/pub"), object(None, "kuscia", "/pub")}, 0},
		"another path":              {[]Object{object(Forget, "kuscia", "/pub"), object(None, "kuscia", "/hr")}, 1},
		"a provider that is hidden": {[]Object{object(Forget, "", "/pub"), object(None, "kuscia", "/hr")}, 1},
		"of another Kuscia":         {[]Object{object(Forget, "kuscia", "/pub"), object(None, "kuscia.b", "/hr")}, 0},
		"only forgotten":            {[]Object{object(Forget, "kuscia", "/pub")}, 0},
		"only imported":             {[]Object{object(None, "kuscia", "/hr")}, 0},
	} {
		got := Readopted(test.objects)
		if len(got) != test.want {
			t.Errorf("%s: %d objects", name, len(got))
		}
		for _, o := range got {
			if o.Action != Update || o.Before.At("localfs", "path").Text() != "/pub" || o.After.At("localfs", "path").Text() != "/hr" {
				t.Errorf("%s: %+v", name, o)
			}
		}
	}
	var many []Object
	for range 100 {
		many = append(many, object(Forget, "kuscia", "/pub"), object(None, "kuscia", "/hr"))
	}
	if got := len(Readopted(many)); got != 100 {
		t.Errorf("of 100 objects with one identity: %d", got)
	}
}
