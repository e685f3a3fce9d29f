package sandbox

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// measuredVersions are the versions of Kuscia on which this was measured; "" is the newest.
var measuredVersions = []string{"v0.5.0b0", "v0.7.0b0", "v0.13.0b0", ""}

// TestRespelledPercentage: a percentage that is spelled differently makes Kuscia apply what the
// app images of all parties have now, which replaces the pods of only those whose app image has
// changed: as measured on real ones.
func TestRespelledPercentage(t *testing.T) {
	for _, version := range measuredVersions {
		t.Run("version "+version, func(t *testing.T) {
			s := frozen(t, Options{Version: version})
			app := func(name, tag, memory string) {
				must(t, s.PutAppImage(kuscia.AppImage{
					Name: name, Image: kuscia.AppImageInfo{Name: "example/" + name, Tag: tag},
					DeployTemplates: []kuscia.DeployTemplate{{Name: "t", Replicas: 1, Containers: []kuscia.Container{{
						Name: "main", Resources: &kuscia.ResourceRequirements{Limits: &kuscia.ResourceSpec{Memory: memory}},
					}}}},
				}))
			}
			pods := func(domain string) string {
				t.Helper()
				names, err := s.PodNames("a", domain, "")
				must(t, err)
				return fmt.Sprint(names)
			}
			deployed := func(domain, want string) {
				t.Helper()
				d, err := s.Deployment("a", domain, "")
				must(t, err)
				c := d.Spec.Template.Spec.Containers[0]
				memory, surge := c.Resources.Limits["memory"], ""
				if d.Spec.Strategy.RollingUpdate != nil {
					surge = d.Spec.Strategy.RollingUpdate.MaxSurge.String()
				}
				if got := fmt.Sprintf("%s %s %s", c.Image, memory.String(), surge); got != want {
					t.Errorf("the Deployment of %s has %s, want %s", domain, got, want)
				}
			}
			// respell updates the strategy, as it was measured.
			respell := func(domain, surge string) {
				t.Helper()
				must(t, ask(s, "serving/update", m{"serving_id": "a", "parties": []m{{
					"domain_id": domain, "update_strategy": m{"type": "RollingUpdate", "max_surge": surge, "max_unavailable": "25%"},
				}}}).err())
				s.Advance(time.Minute)
			}
			create := func(config string, strategy m) {
				t.Helper()
				must(t, ask(s, "serving/create", m{"serving_id": "a", "initiator": "alice", "serving_input_config": config, "parties": []m{
					{"domain_id": "alice", "app_image": "a", "update_strategy": strategy},
					{"domain_id": "bob", "app_image": "b", "update_strategy": m{"type": "RollingUpdate", "max_surge": "25%", "max_unavailable": "25%"}},
				}}).err())
				s.Advance(time.Minute)
			}
			app("a", "1", "1Gi")
			app("b", "1", "1Gi")
			create("not json", m{"type": "RollingUpdate", "max_surge": "25%", "max_unavailable": "25%"})
			alice, bob := pods("alice"), pods("bob")

			// 1. The change of an app image alone does nothing.
			app("a", "2", "2Gi")
			s.Advance(10 * time.Minute)
			deployed("alice", "example/a:1 1Gi 25%")

			// 2. The other spelling gives alice new pods with the image and the memory, and bob none.
			respell("alice", "025%")
			deployed("alice", "example/a:2 2Gi 025%")
			deployed("bob", "example/b:1 1Gi 25%")
			if pods("alice") == alice || pods("bob") != bob {
				t.Errorf("the pods are %s and %s, before %s and %s", pods("alice"), pods("bob"), alice, bob)
			}

			// 3. Kuscia returns what was sent.
			found := ask(s, "serving/query", m{"serving_id": "a"})
			must(t, found.err())
			if !strings.Contains(string(found.Data), `"max_surge":"025%"`) {
				t.Errorf("the query returns %s", found.Data)
			}

			// 4. And back.
			alice = pods("alice")
			app("a", "3", "2Gi")
			respell("alice", "25%")
			deployed("alice", "example/a:3 2Gi 25%")
			if pods("alice") == alice || pods("bob") != bob {
				t.Errorf("the pods are %s and %s, before %s and %s", pods("alice"), pods("bob"), alice, bob)
			}

			// A spelling that Kuscia has already changes nothing, nor does that of a number.
			app("a", "4", "2Gi")
			respell("alice", "25%")
			deployed("alice", "example/a:3 2Gi 25%")
			respell("alice", "1")
			deployed("alice", "example/a:4 2Gi 1")
			app("a", "5", "2Gi")
			respell("alice", "01")
			deployed("alice", "example/a:4 2Gi 1")
			must(t, s.RemoveServing("a"))
			s.Advance(time.Minute)

			// 5. The percentage of bob, for alice with Recreate, without a text.
			config := ""
			if version == "v0.5.0b0" || version == "v0.7.0b0" {
				config = "{}" // which need one
			}
			app("a", "1", "1Gi")
			create(config, m{"type": "Recreate"})
			alice, bob = pods("alice"), pods("bob")
			app("a", "2", "2Gi")
			respell("bob", "025%")
			deployed("alice", "example/a:2 2Gi ")
			deployed("bob", "example/b:1 1Gi 025%")
			if pods("alice") == alice || pods("bob") != bob {
				t.Errorf("the pods are %s and %s, before %s and %s", pods("alice"), pods("bob"), alice, bob)
			}
		})
	}
}
