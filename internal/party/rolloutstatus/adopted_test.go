package rolloutstatus

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kube"
)

// TestTakenOver: a Deployment of an earlier KusciaDeployment of the same name
// counts as that of the new one only after it has run as expected for a minute:
// Kuscia takes it over without changing its labels.
func TestTakenOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := released()
		deployment := m.objects["Deployment alice/kd"]
		delete(at(deployment, "metadata"), "annotations")
		at(deployment, "metadata", "labels")[kube.LabelKDUID] = "another"
		status := at(deployment, "status")
		reader := New(m, "kd")
		for _, step := range []struct {
			after   time.Duration
			updated int64
			done    bool
		}{{0, 2, false}, {takeOverDelay - time.Second, 2, false}, {0, 1, false}, {time.Second, 2, false}, {takeOverDelay - time.Second, 2, false}, {time.Second, 2, true}, {time.Minute, 2, true}, {0, 1, false}} {
			time.Sleep(step.after)
			status["updatedReplicas"] = step.updated
			seen, err := reader.Read(t.Context())
			if err != nil || seen.Done != step.done || !step.done && !strings.Contains(seen.Text(), "another KusciaDeployment") {
				t.Errorf("after %s with %d updated pods: done %t: %s, %v", step.after, step.updated, seen.Done, seen.Text(), err)
			}
		}
	})
}
