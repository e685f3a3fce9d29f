package grantlimit_test

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/grantlimit"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/phrase"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/plan"
)

// TestChange: limits that are lifted, set or changed are named, and whether more is allowed is told.
func TestChange(t *testing.T) {
	t.Parallel()
	type limit = map[string]any
	for name, test := range map[string]struct {
		before, after limit
		text, lifted  string
		more          bool
	}{
		"nothing":             {limit{"use_count": 3.0}, limit{"use_count": 3.0}, "", "", false},
		"lifted":              {limit{"components": []any{"psi", "glm"}}, limit{"components": []any{}}, `lifted: only for the components "psi", "glm"`, `lifted: only for the components "psi", "glm"`, true},
		"set":                 {nil, limit{"flow_id": "f", "use_count": 1.0}, `new limit: one use, only for the flow "f"`, "", false},
		"more uses":           {limit{"use_count": 3.0}, limit{"use_count": 4.0}, `"3" uses → "4" uses`, "", true},
		"fewer uses":          {limit{"use_count": 4.0}, limit{"use_count": 3.0}, `"4" uses → "3" uses`, "", false},
		"no number of uses":   {limit{"use_count": 4.0}, limit{"use_count": 0.0}, `lifted: "4" uses`, `lifted: "4" uses`, true},
		"later":               {limit{"expiration_time": "2040-01-01T00:00:00Z"}, limit{"expiration_time": "2041-01-01T00:00:00Z"}, `until "2040-01-01T00:00:00Z" → until "2041-01-01T00:00:00Z"`, "", true},
		"earlier":             {limit{"expiration_time": "2041-01-01T00:00:00Z"}, limit{"expiration_time": "2040-01-01T00:00:00Z"}, `until "2041-01-01T00:00:00Z" → until "2040-01-01T00:00:00Z"`, "", false},
		"another component":   {limit{"components": []any{"psi"}}, limit{"components": []any{"glm"}}, `only for the components "psi" → only for the components "glm"`, "", true},
		"fewer components":    {limit{"components": []any{"psi", "glm"}}, limit{"components": []any{"glm"}}, `only for the components "psi", "glm" → only for the components "glm"`, "", false},
		"a list of something": {limit{"components": []any{map[string]any{"a": 1.0}}}, limit{"components": []any{map[string]any{"a": 2.0}}}, `only for the components "{\"a\":1}" → only for the components "{\"a\":2}"`, "", true},
		"another flow":        {limit{"flow_id": "f"}, limit{"flow_id": "g"}, `only for the flow "f" → only for the flow "g"`, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			side := func(l limit) plan.Value { return plan.Value{Raw: map[string]any{"limit": l}} }
			o := &plan.Object{Action: plan.Update, Before: side(test.before), After: side(test.after)}
			got := grantlimit.Change(o)
			if text, lifted := got.Text.Plain(phrase.English), got.Lifted.Plain(phrase.English); text != test.text || lifted != test.lifted || got.More != test.more {
				t.Errorf("%s (lifted %s), more: %t, want %s (lifted %s), more: %t", text, lifted, got.More, test.text, test.lifted, test.more)
			}
		})
	}
}

// TestCovers: another grant gives more, unless one without a number of uses and with no tighter limits is
// there.
func TestCovers(t *testing.T) {
	t.Parallel()
	type limit = map[string]any
	for name, test := range map[string]struct {
		grant, added limit
		want         bool
	}{
		"no limits":                 {nil, nil, true},
		"a use beside any number":   {nil, limit{"use_count": 1.0}, true},
		"a use beside a use":        {limit{"use_count": 1.0}, limit{"use_count": 1.0}, false},
		"a component beside all":    {nil, limit{"components": []any{"psi"}}, true},
		"all beside one component":  {limit{"components": []any{"psi"}}, nil, false},
		"any number beside one use": {limit{"use_count": 1.0}, nil, false},
	} {
		side := func(l limit) plan.Value { return plan.Value{Raw: map[string]any{"limit": l}} }
		if got := grantlimit.Covers(side(test.grant), side(test.added)); got != test.want {
			t.Errorf("%s: %t, want %t", name, got, test.want)
		}
	}
}
