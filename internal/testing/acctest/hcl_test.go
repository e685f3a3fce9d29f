package acctest

import "testing"

// TestBlock covers values of every kind, and literal lines.
func TestBlock(t *testing.T) {
	t.Parallel()
	type version string
	got := Block("kuscia_x", "y", map[string]any{
		"text": "a \"${b}\" %{c}\\\n\x7f", "number": 1, "left_out": nil, "to": Reference("a.b"), "typed": version("v2"),
		"list": []string{"a"}, "object": map[string]string{"k": "v"}, "none": []any{nil},
		"lines": Lines("  z = 1"), "nested": Nested{"a": true}, "within": []any{map[string]any{"a": 1, "more": Lines("b = 2")}},
	})
	const want = `resource "kuscia_x" "y" {
  z = 1
  list = ["a"]
nested {
  a = true
}
  none = [null]
  number = 1
  object = { "k" = "v" }
  text = "a \"$${b}\" %%{c}\\\n\U0000007f"
  to = a.b
  typed = "v2"
  within = [{
"a" = 1
b = 2
}]
}
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestBlocks covers the other blocks.
func TestBlocks(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"list \"kuscia_x\" \"y\" {\n  limit = 1\n}\n":                     TopLevel("list", []string{"kuscia_x", "y"}, map[string]any{"limit": 1}),
		"removed {\n  from = a.b\nlifecycle {\n  destroy = false\n}\n}\n": TopLevel("removed", nil, map[string]any{"from": Reference("a.b"), "lifecycle": Nested{"destroy": false}}),
		"output \"o\" {\n  value = a.b\n}\n":                              Output("o", Reference("a.b")),
		"moved {\n  from = a.b\n  to = a.c[\"k\"]\n}\n":                   Moved("a.b", `a.c["k"]`),
	} {
		if got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

// TestAppImageBlock: attributes are added or replaced at each level.
func TestAppImageBlock(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]AppImageBlock{
		`resource "kuscia_app_image" "test" {
  deploy_templates = [{ "containers" = [{ "name" = "app" }], "name" = "app" }]
  image = { "name" = "example/app", "tag" = "1" }
  name = "n"
}
`: {Name: "n"},
		`resource "kuscia_app_image" "x" {
  count = 2
  deploy_templates = [{ "containers" = [{ "command" = ["c"], "name" = "app" }], "name" = "app", "role" = "r" }]
  image = { "name" = "example/app", "tag" = "2" }
  name = "n"
}
`: {
			Label: "x", Name: "n", Top: map[string]any{"count": 2}, Image: map[string]any{"tag": "2"},
			Template: map[string]any{"role": "r"}, Container: map[string]any{"command": []string{"c"}},
		},
	} {
		if got.String() != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
