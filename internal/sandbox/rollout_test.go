package sandbox

import (
	"fmt"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// The rollouts here are those that no recording has.

// TestNewPortNameBlocksEveryUpdate: Kuscia never completes an update that adds a port.
func TestNewPortNameBlocksEveryUpdate(t *testing.T) {
	s := frozen(t, Options{})
	put(t, s, "a", party("alice", imageV2, 1)) // ports service and communication
	s.Advance(5 * time.Second)
	update(t, s, "a", kuscia.ServingParty{DomainID: "alice", AppImage: imageV1}) // two more ports
	s.Advance(5 * time.Second)
	update(t, s, "a", party("alice", "", 3))
	s.Advance(time.Minute)
	wantShown(t, s, "a", "Available alice 1/1/0/1")
	update(t, s, "a", kuscia.ServingParty{DomainID: "alice", AppImage: imageV2})
	s.Advance(5 * time.Second)
	wantShown(t, s, "a", "Available alice 3/3/0/3")
}

// TestRecreatedServingGetsNewDeployments: a serving that is created again has the Deployments of
// the deleted one for a moment, if it adopts them, and never keeps them.
func TestRecreatedServingGetsNewDeployments(t *testing.T) {
	for _, adopt := range []bool{false, true} {
		t.Run(fmt.Sprintf("adopt=%t", adopt), func(t *testing.T) {
			s := frozen(t, Options{AdoptLeftovers: adopt})
			server := party("alice", imageRoles, 1)
			server.Role = "server"
			put(t, s, "a", server)
			s.Advance(5 * time.Second)
			must(t, s.RemoveServing("a"))
			put(t, s, "a", server) // parties with roles are accepted
			s.Advance(200 * time.Millisecond)
			if adopted := shown(s, "a") != "null"; adopted != adopt {
				t.Errorf("adopted: %t", adopted)
			}
			s.Advance(5 * time.Second)
			wantShown(t, s, "a", "Available alice 1/1/0/1")
			d, err := s.Deployment("a", "alice", "server")
			must(t, err)
			kd, err := s.KusciaDeployment("a")
			must(t, err)
			if d.Meta.CreationTimestamp.Before(*kd.CreationTimestamp) {
				t.Error("the Deployment of the deleted serving is still there")
			}
		})
	}
}
