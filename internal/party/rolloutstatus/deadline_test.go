package rolloutstatus

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestStaleDeadline: a progress deadline that was exceeded before the first read
// is no failure until it has lasted for staleDeadlineTimeout without a change of a
// replica count; one that is exceeded later is.
func TestStaleDeadline(t *testing.T) {
	t.Parallel()
	const before, later = "2026-11-21T00:09:27Z", "2026-11-21T00:19:27Z"
	exceeded := func(when string) []any {
		return []any{object{"type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded", "message": "too long", "lastUpdateTime": when}}
	}
	for name, test := range map[string]struct {
		first object
		next  func(status object)
		after time.Duration
		fails bool
	}{
		"for staleDeadline":                {first: object{"conditions": exceeded(before)}, after: staleDeadlineTimeout, fails: true},
		"exceeded later":                   {first: object{}, next: func(s object) { s["conditions"] = exceeded(later) }, fails: true},
		"counts changed":                   {first: object{"conditions": exceeded(before), "updatedReplicas": int64(0)}, next: func(s object) { time.Sleep(staleDeadlineTimeout); s["updatedReplicas"] = int64(1) }},
		"generation not observed at first": {first: object{"conditions": exceeded(before), "observedGeneration": int64(3)}, next: func(s object) { s["observedGeneration"] = int64(4) }},
		"shorter than staleDeadline":       {first: object{"conditions": exceeded(before)}, after: staleDeadlineTimeout - time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := released()
				delete(at(m.objects["Deployment alice/kd"], "metadata"), "annotations")
				status := at(m.objects["Deployment alice/kd"], "status")
				for field, value := range test.first {
					status[field] = value
				}
				reader := New(m, "kd")
				read := func() Party {
					seen, err := reader.Read(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					return seen.Parties[0]
				}
				if p := read(); p.Failed != "" {
					t.Errorf("failed at the first read: %s", p.Failed)
				}
				if test.next != nil {
					time.Sleep(time.Second)
					test.next(status)
				} else {
					time.Sleep(test.after)
				}
				p := read()
				if (p.Failed != "") != test.fails || p.Failed == "" && p.DeadlineExceededAt != "" && !strings.Contains(p.Text, "too long") {
					t.Errorf("failed %q: %s", p.Failed, p.Text)
				}
			})
		})
	}
}
