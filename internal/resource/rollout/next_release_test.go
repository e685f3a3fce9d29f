package rollout_test

import (
	"slices"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// TestNextRelease: the plan of a Rollout says what each step replaces and waits for.
func TestNextRelease(t *testing.T) {
	t.Parallel()
	r := newPlans(t)
	wait := func(seconds any) tree { return tree{"duration": seconds} }
	for name, test := range map[string]struct {
		with tree
		want []string // nil: unknown
	}{
		"canary": {
			with: tree{"canary": tree{"steps": []any{tree{"replicas": "25%"}, tree{"replicas": "50%", "pause": wait(60)}, tree{"replicas": "100%"}}}},
			want: []string{"replaces 25% of the pods, then waits for an approval", "replaces 50% of the pods, then waits 60 s", "replaces 100% of the pods"},
		},
		"a last step with fewer pods": {
			with: tree{"canary": tree{"steps": []any{tree{"replicas": "1", "pause": wait(0)}, tree{"replicas": "2"}}}},
			want: []string{"replaces 1 of the pods", "replaces 2 of the pods, then waits for an approval"},
		},
		"an extra workload": {
			with: tree{"canary": tree{"enable_extra_workload_for_canary": true, "steps": []any{tree{"replicas": "50%"}, tree{"replicas": "100%"}}}},
			want: []string{"adds 50% of the pods, then waits for an approval", "adds 100% of the pods"},
		},
		"blue-green": {
			with: tree{"canary": nil, "blue_green": tree{"steps": []any{tree{"replicas": "100%"}}}},
			want: []string{"adds 100% of the pods, then waits for an approval"},
		},
		"unknown steps": {with: tree{"canary": tree{"steps": definition.Unknown}}},
		"an unknown step": {
			with: tree{"canary": tree{"steps": []any{tree{"replicas": "50%", "pause": wait(definition.Unknown)}, tree{"replicas": "100%"}}}},
			want: []string{"", "replaces 100% of the pods"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, planned := r.Plan(t, r.config(test.with), r.None())
			value := definition.At(planned, "next_release")
			var got []string
			for _, text := range definition.ElementsOf(value) {
				got = append(got, definition.StringOf(text))
			}
			if value.IsKnown() != (test.want != nil) || !slices.Equal(got, test.want) {
				t.Errorf("planned %s, want %q", value, test.want)
			}
		})
	}
}
