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
