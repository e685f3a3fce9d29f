package share_test

import (
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/review/share"
)

// TestDivide: what a part does not need the others get by their weights, and no part gets nothing.
func TestDivide(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		most  int
		parts []*share.Part
		want  []int
	}{
		"room for all":     {100, []*share.Part{{Weight: 1, Need: 60}, {Weight: 9, Need: 40}}, []int{60, 40}},
		"by weights":       {100, []*share.Part{{Weight: 1, Need: 500}, {Weight: 3, Need: 500}}, []int{25, 75}},
		"one needs little": {100, []*share.Part{{Weight: 1, Need: 500}, {Weight: 3, Need: 20}, {Weight: 1, Need: 500}}, []int{40, 20, 40}},
		"no bytes":         {-5, []*share.Part{{Weight: 1, Need: 500}}, []int{0}},
	} {
		share.Divide(test.most, test.parts)
		for i, p := range test.parts {
			if p.Room != test.want[i] {
				t.Errorf("%s: part %d has %d, want %d", name, i, p.Room, test.want[i])
			}
		}
	}
}
