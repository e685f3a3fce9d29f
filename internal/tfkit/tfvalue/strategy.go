package tfvalue

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

var countOrPercent = regexp.MustCompile(`^[0-9]{1,9}%?$`)

// ParseCountOrPercent splits "3" into (3, false) and "25%" into (25, true).
func ParseCountOrPercent(text string) (number int, percent, ok bool) {
	if !countOrPercent.MatchString(text) {
		return 0, false, false
	}
	digits := strings.TrimSuffix(text, "%")
	number, err := strconv.Atoi(digits)
	return number, digits != text, err == nil
}

// CountOrPercentEqual reports whether two texts denote the same number or the
// same percentage, for example "1" and "01".
func CountOrPercentEqual(a, b string) bool {
	if a == b {
		return true
	}
	x, xPercent, xOK := ParseCountOrPercent(a)
	y, yPercent, yOK := ParseCountOrPercent(b)
	return xOK && yOK && x == y && xPercent == yPercent
}

// CountOrPercent validates a number of pods or a percentage of at most
// maxPercent; maxPercent 0 means no limit.
func CountOrPercent(maxPercent int) validator.String {
	return countOrPercentValidator{maxPercent: maxPercent}
}

type countOrPercentValidator struct{ maxPercent int }

func (v countOrPercentValidator) Description(context.Context) string {
	if v.maxPercent > 0 {
		return fmt.Sprintf("must be a whole number such as \"1\" or a percentage from \"0%%\" to \"%d%%\"", v.maxPercent)
	}
	return "must be a whole number such as \"1\" or a percentage such as \"25%\""
}

func (v countOrPercentValidator) MarkdownDescription(ctx context.Context) string {
	return v.Description(ctx)
}

func (v countOrPercentValidator) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	number, percent, ok := ParseCountOrPercent(req.ConfigValue.ValueString())
	if !ok || (percent && v.maxPercent > 0 && number > v.maxPercent) {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid number or percentage",
			fmt.Sprintf("%s: %q %s.", req.Path, req.ConfigValue.ValueString(), v.Description(ctx)))
	}
}
