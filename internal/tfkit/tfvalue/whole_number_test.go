package tfvalue

import (
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// TestWholeNumbers: an invalid number is unknown and has one error on its path;
// every other value is unchanged and has none.
func TestWholeNumbers(t *testing.T) {
	t.Parallel()
	at := path.Root("parties").AtListIndex(0).AtName("replicas")
	small, large := Int32Type{Min: 1, Max: 100}, Int64Type{Min: 1, Max: 100}
	for _, test := range []struct{ number, says32, says64 string }{
		{number: "1"},
		{number: "-1"},
		{number: "101"},
		{number: "2147483647"},
		{number: "2147483648", says32: "2147483648 is too large or too small"},
		{number: "-2147483649", says32: "-2147483649 is too large or too small"},
		{number: "1.5", says32: "1.5 is not a whole number", says64: "1.5 is not a whole number"},
		{number: "0.1", says32: "0.1 is not a whole number", says64: "0.1 is not a whole number"},
		{number: "9223372036854775808", says32: "9223372036854775808 is too large", says64: "9223372036854775808 is too large"},
		{number: "1e400", says32: "the number is too large or too small", says64: "the number is too large or too small"},
		{number: "1e99999999", says32: "the number is too large or too small", says64: "the number is too large or too small"},
		{number: "1e-99999999", says32: "the number is a fraction", says64: "the number is a fraction"},
	} {
		number, _, err := big.ParseFloat(test.number, 10, 512, big.ToNearestEven)
		if err != nil {
			t.Fatal(err)
		}
		in := tftypes.NewValue(tftypes.Number, number)
		whole, _ := number.Int64()
		begin := time.Now()

		value, err := small.ValueFromTerraform(t.Context(), in)
		want32 := types.Int32Value(int32(whole))
		if test.says32 != "" {
			want32 = types.Int32Unknown()
		}
		if err != nil || !value.Equal(want32) {
			t.Errorf("%s: %v, %v, want %v", test.number, value, err, want32)
		}
		checkRefusal(t, test.number, small.Validate(t.Context(), in, at), test.says32)

		value, err = large.ValueFromTerraform(t.Context(), in)
		want64 := types.Int64Value(whole)
		if test.says64 != "" {
			want64 = types.Int64Unknown()
		}
		if err != nil || !value.Equal(want64) {
			t.Errorf("%s: %v, %v, want %v", test.number, value, err, want64)
		}
		checkRefusal(t, test.number, large.Validate(t.Context(), in, at), test.says64)
		if took := time.Since(begin); took > time.Second {
			t.Errorf("%s took %s", test.number, took)
		}
	}
}

func checkRefusal(t *testing.T, number string, got diag.Diagnostics, says string) {
	t.Helper()
	if len(got) == 0 && says == "" {
		return
	}
	if len(got) != 1 || says == "" || !strings.Contains(got[0].Detail(), says) {
		t.Errorf("%s: %v, want %q", number, got, says)
	}
}
