package bounded

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// TestSecretsByContent: what a block has of secrets by its content is masked wherever it is quoted,
// and no line of its attribute is shown; what only looks like one is neither.
func TestSecretsByContent(t *testing.T) {
	t.Parallel()
	text := func(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }
	list := func(words ...string) tftypes.Value {
		var values []tftypes.Value
		for _, word := range words {
			values = append(values, text(word))
		}
		return tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, values)
	}
	variable := func(name, value string) tftypes.Value {
		of := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"name": tftypes.String, "value": tftypes.String}}
		one := tftypes.NewValue(of, map[string]tftypes.Value{"name": text(name), "value": text(value)})
		return tftypes.NewValue(tftypes.List{ElementType: of}, []tftypes.Value{one})
	}
	labels := func(key, value string) tftypes.Value {
		return tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{key: text(value)})
	}
	for name, test := range map[string]struct {
		value  tftypes.Value
		said   string
		secret bool
	}{
		"in a text":              {text(`{"password":"S3CRET"}`), "the field S3CRET", true},
		"a number in a text":     {text(`{"password":7788990011223344}`), "the field 7788990011223344", true},
		"a number, not a secret": {text(`{"size":7788990011223344}`), "the field 7788990011223344", false},
		"argument":               {list("run", "--password=S3CRET"), "the argument S3CRET", true},
		"argument after a name":  {list("run", "--token", "S3CRET"), "the argument S3CRET", true},
		"argument, not a secret": {list("run", "--level", "S3CRET"), "the argument S3CRET", false},
		"variable":               {variable("DB_PASSWORD", "S3CRET"), "the value S3CRET", true},
		"variable, not a secret": {variable("LEVEL", "S3CRET"), "the value S3CRET", false},
		"element":                {labels("password", "S3CRET"), "the value S3CRET", true},
		"element, not a secret":  {labels("level", "S3CRET"), "the value S3CRET", false},
		"key":                    {labels("https://user:S3CRET@gateway", "x"), "the host https://user:S3CRET@gateway", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			schema := &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{{Name: "it", Type: test.value.Type(), Optional: true}}}}
			of := schema.ValueType()
			config, err := tfprotov6.NewDynamicValue(of, tftypes.NewValue(of, map[string]tftypes.Value{"it": test.value}))
			if err != nil {
				t.Fatal(err)
			}
			l := newLines(schema, &config, true)
			if got := l.haveSecret(tftypes.NewAttributePath().WithAttributeName("it")); got != test.secret {
				t.Errorf("a secret: %t", got)
			}
			if got := l.masker().Mask(test.said); (got == test.said) == test.secret {
				t.Errorf("said is %q", got)
			}
		})
	}
}
