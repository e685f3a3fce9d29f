package functions

import (
	"context"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/tfvalue"
)

// run calls a function with arguments as the server passes them.
func run(t interface{ Helper() }, f function.Function, arguments ...attr.Value) (attr.Value, *function.FuncError) {
	t.Helper()
	resp := function.RunResponse{Result: function.NewResultData(types.StringUnknown())}
	f.Run(context.Background(), function.RunRequest{Arguments: function.NewArgumentsData(arguments)}, &resp)
	return resp.Result.Value(), resp.Error
}

func TestQuantity(t *testing.T) {
	for text, want := range map[string]string{
		"0.5": "500m", "500m": "500m", "1": "1", "1000m": "1", "1024Mi": "1Gi", "1.5Gi": "1536Mi", "1e3": "1e3", "1000": "1k", "0": "0", "2G": "2G", "+1": "1", "01": "1", "1.0": "1",
	} {
		got, err := run(t, NewQuantity(), types.StringValue(text))
		if err != nil || !got.Equal(types.StringValue(want)) {
			t.Errorf("%s: %v, want %s (%v)", text, got, want, err)
		}
	}
	for text, want := range map[string]string{
		"": "is not a Kubernetes quantity", "1 Gi": "is not a Kubernetes quantity", "1GB": "is not", "a": "is not", "-1": "below zero", "-500m": "below zero",
		strings.Repeat("9", 65): "is not", strings.Repeat("9", 1<<20): "(1048576 characters) is not", "1e-99999999": "is not", "1e99999999": "is not",
	} {
		_, err := run(t, NewQuantity(), types.StringValue(text))
		if err == nil || !strings.Contains(err.Text, want) || len(err.Text) > 500 || err.FunctionArgument == nil || *err.FunctionArgument != 0 {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestQuantityProperties: the canonical form is the same amount, and its own
// canonical form.
func TestQuantityProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[0-9]{1,6}(\.[0-9]{1,3})?(m|k|M|G|Ki|Mi|Gi)?`).Draw(t, "quantity")
		got, err := run(t, NewQuantity(), types.StringValue(text))
		if err != nil {
			t.Fatal(err)
		}
		once, ok := got.(types.String)
		if !ok || !tfvalue.QuantityEqual(text, once.ValueString()) {
			t.Fatalf("%s became %s", text, got)
		}
		amount, parseErr := tfvalue.ParseQuantity(text)
		if parseErr != nil {
			t.Fatal(parseErr)
		}
		amount.Add(resource.MustParse("0"))
		if stored := amount.String(); stored != once.ValueString() {
			t.Fatalf("%s became %s, Kubernetes has %s", text, once, stored)
		}
		if twice, err := run(t, NewQuantity(), once); err != nil || !twice.Equal(once) {
			t.Fatalf("%s became %s and then %s", text, once, twice)
		}
	})
}
