package kubetest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// TestCrashingRelease: a release to an image whose containers end stands where one to an image
// that cannot be pulled does, and can be taken back. Its pods show a crash loop. No such release
// was recorded.
func TestCrashingRelease(t *testing.T) {
	t.Parallel()
	for _, style := range []string{byPartition, byCanary} {
		t.Run(style, func(t *testing.T) {
			t.Parallel()
			w := newClient(t)
			w.appImages()
			w.appImage("kr-img-crash", "secretflow/serving-anolis8", "vb", 4, nil) // without a command: a shell
			r := &release{client: w, name: "kr-crash-" + style, style: style}
			recorded := strings.ReplaceAll(string(read[json.RawMessage](t, "3-broken-"+style+".json")), "example/broken:vb", "secretflow/serving-anolis8:vb")
			if err := json.Unmarshal([]byte(recorded), &r.events); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(r.remove)
			r.begin(nil, usualSteps()...)
			r.do("image crash")
			r.do("is 20 s")
			r.eventually("a crash loop", func() string {
				list, err := w.in(schema.GroupVersionResource{Version: "v1", Resource: "pods"}, "alice").
					List(t.Context(), metav1.ListOptions{LabelSelector: "kuscia.secretflow/kd-name=" + r.name})
				if err != nil {
					return err.Error()
				}
				for _, pod := range list.Items {
					status, _ := json.Marshal(pod.Object["status"])
					if strings.Contains(string(status), `"waiting":{"message":"back-off `) && strings.Contains(string(status), `"lastState":{"terminated":{"exitCode":0,`) && strings.Contains(string(status), `"phase":"Running"`) {
						return ""
					}
				}
				return fmt.Sprintf("%d pods", len(list.Items))
			})
			r.do("image v1")
			r.do("is after rollback")
		})
	}
}
