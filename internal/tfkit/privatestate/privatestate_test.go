package privatestate_test

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/privatestate"
)

type store map[string][]byte

func (s store) GetKey(_ context.Context, key string) ([]byte, diag.Diagnostics) { return s[key], nil }

func (s store) SetKey(_ context.Context, key string, value []byte) diag.Diagnostics {
	s[key] = value
	return nil
}

type data struct {
	Imported bool `json:"imported,omitempty"`
}

const key privatestate.Key[data] = "key"

func TestUnreadable(t *testing.T) {
	diags := diag.Diagnostics{}
	key.Load(t.Context(), store{"key": []byte(`{"imported":`)}, &diags)
	if len(diags) != 1 || !strings.Contains(diags[0].Detail(), "import it again") {
		t.Errorf("%v", diags)
	}
	diags = nil
	privatestate.Key[func()]("key").Save(t.Context(), store{}, func() {}, &diags)
	if !diags.HasError() {
		t.Error("what is no JSON was stored")
	}
}

// TestFromProtocol: a shortcut knows a private state that has nothing else.
func TestFromProtocol(t *testing.T) {
	for name, test := range map[string]struct {
		private map[string][]byte
		want    data
		ok      bool
	}{
		"none":     {nil, data{}, true},
		"its own":  {map[string][]byte{"key": []byte(`{"imported":true}`)}, data{Imported: true}, true},
		"another":  {map[string][]byte{"other": []byte(`{}`)}, data{}, false},
		"one more": {map[string][]byte{"key": []byte(`{}`), "other": []byte(`{}`)}, data{}, false},
		"damaged":  {map[string][]byte{"key": []byte(`{`)}, data{}, false},
	} {
		if got, ok := key.FromProtocol(test.private); got != test.want || ok != test.ok {
			t.Errorf("%s: %+v, %t", name, got, ok)
		}
	}
}
