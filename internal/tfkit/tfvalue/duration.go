package tfvalue

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

const (
	// TimeLimitsDescription describes the attribute timeouts.
	TimeLimitsDescription = "Time limits, each a duration above zero such as `90s`, `20m` or `1h30m`."
	// StoredDescription describes when a setting for a delete takes effect:
	// Terraform deletes with the state alone.
	StoredDescription = "Takes effect once an apply has stored it in the state; after an import, the first update of other attributes stores it."
	// InvalidTimeLimit is the summary of the error for an invalid time limit.
	InvalidTimeLimit = "Invalid time limit"
)

// ParseTimeLimit parses a positive duration, such as "90s" or "1h30m".
func ParseTimeLimit(text string) (time.Duration, error) {
	limit, err := time.ParseDuration(text)
	if err != nil {
		if _, numberErr := strconv.ParseFloat(text, 64); numberErr == nil {
			return 0, fmt.Errorf("%s has no unit; for seconds write %s, for minutes %s", Quote(text), Quote(text+"s"), Quote(text+"m"))
		}
		return 0, fmt.Errorf("%s is not a duration such as 90s, 20m or 1h30m", Quote(text))
	}
	if limit <= 0 {
		return 0, fmt.Errorf("%s is not positive; use a duration such as 30s or 20m", Quote(text))
	}
	return limit, nil
}

// TimeLimit validates a positive duration.
func TimeLimit() validator.String { return timeLimitValidator{} }

type timeLimitValidator struct{}

func (timeLimitValidator) Description(context.Context) string {
	return "must be a duration above zero such as \"90s\", \"20m\" or \"1h30m\""
}

func (v timeLimitValidator) MarkdownDescription(ctx context.Context) string {
	return v.Description(ctx)
}

func (timeLimitValidator) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if _, err := ParseTimeLimit(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(req.Path, InvalidTimeLimit, fmt.Sprintf("%s: %s.", req.Path, err))
	}
}
