package sandbox

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

func TestRolloutOfANewServing(t *testing.T) {
	s := frozen(t, Options{})
	put(t, s, "a", party("alice", imageV1, 2), party("bob", imageV1, 1))
	want := []string{
		"null",
		"Progressing alice 0/0/0/0 bob 0/0/0/0",
		"Progressing alice 0/0/2/0 bob 0/0/1/0",
		"Progressing alice 2/0/2/2 bob 1/0/1/1",
		"Available alice 2/2/0/2 bob 1/1/0/1",
	}
	if have := history(s, "a", 3*time.Second); !slices.Equal(have, want) {
		t.Errorf("went through\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}

func TestRollingUpdateShowsTheOldStateFirst(t *testing.T) {
	s := frozen(t, Options{})
	put(t, s, "a", party("alice", imageV1, 2))
	s.Advance(5 * time.Second)
	update(t, s, "a", "new")
	want := []string{
		"Available alice 2/2/0/2",
		"Available alice 2/2/1/0",
		"PartialAvailable alice 3/2/1/1",
		"Available alice 3/3/0/1",
		"Available alice 2/2/1/1",
		"PartialAvailable alice 3/2/1/2",
		"Available alice 3/3/0/2",
		"Available alice 2/2/0/2",
	}
	if have := history(s, "a", 5*time.Second); !inOrder(have, want) || have[len(have)-1] != want[len(want)-1] {
		t.Errorf("went through\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}

func TestBrokenImage(t *testing.T) {
	s := frozen(t, Options{})
	put(t, s, "new", party("alice", imageBroken, 1), party("bob", imageV1, 1))
	put(t, s, "old", party("alice", imageV1, 2))
	s.Advance(5 * time.Second)
	wantShown(t, s, "new", "Progressing alice 1/0/1/1 bob 1/1/0/1")
	status := statusOf(s, "new")
	if status.Reason != "domainID: alice, reason: ImagePullBackOff" || status.Message != `Back-off pulling image "example/broken:1"` {
		t.Errorf("reason %q, message %q", status.Reason, status.Message)
	}
	// An update to it leaves the old pods in place and never ends.
	update(t, s, "old", "", kuscia.ServingParty{DomainID: "alice", AppImage: imageBroken})
	s.Advance(time.Minute)
	wantShown(t, s, "old", "PartialAvailable alice 3/2/1/1")
	update(t, s, "old", "", kuscia.ServingParty{DomainID: "alice", AppImage: imageV1})
	s.Advance(10 * time.Second)
	wantShown(t, s, "old", "Available alice 2/2/0/2")
}

func TestReplicasZeroProgressesForEver(t *testing.T) {
	s := frozen(t, Options{})
	put(t, s, "zero", party("alice", imageV1, 0))
	s.Advance(10 * time.Minute)
	wantShown(t, s, "zero", "Progressing alice 0/0/0/0")
}

func TestRefusedUpdateStaysAvailable(t *testing.T) {
	s := frozen(t, Options{})
	put(t, s, "a", party("alice", imageV1, 1))
	s.Advance(5 * time.Second)
	update(t, s, "a", "", party("alice", "", -1))
	if have := history(s, "a", 10*time.Minute/100); len(have) != 1 || have[0] != "Available alice 1/1/0/1" {
		t.Errorf("went through %v", have)
	}
	s.Advance(10 * time.Minute)
	wantShown(t, s, "a", "Available alice 1/1/0/1")
	// The next valid update is rolled out completely.
	update(t, s, "a", "", party("alice", "", 2))
	s.Advance(5 * time.Second)
	wantShown(t, s, "a", "Available alice 2/2/0/2")
}

func TestNewPortNameBlocksEveryUpdate(t *testing.T) {
	s := frozen(t, Options{})
	put(t, s, "a", party("alice", imageV2, 1)) // ports service and communication
	s.Advance(5 * time.Second)
	update(t, s, "a", "", kuscia.ServingParty{DomainID: "alice", AppImage: imageV1}) // two more ports
	s.Advance(5 * time.Second)
	update(t, s, "a", "", party("alice", "", 3))
	s.Advance(time.Minute)
	wantShown(t, s, "a", "Available alice 1/1/0/1")
	image, err := s.DeployedImage("a", "alice", "")
	must(t, err)
	if image != "secretflow/serving-anolis8:0.3.0b0" {
		t.Errorf("runs %s", image)
	}
	update(t, s, "a", "", kuscia.ServingParty{DomainID: "alice", AppImage: imageV2})
	s.Advance(5 * time.Second)
	wantShown(t, s, "a", "Available alice 3/3/0/3")
}

func TestAppImageChangesWaitForAnUpdate(t *testing.T) {
	s := frozen(t, Options{})
	put(t, s, "a", party("alice", imageV1, 1))
	update(t, s, "a", "config")
	s.Advance(5 * time.Second)
	image, err := s.AppImage(imageV1)
	must(t, err)
	image.Image.Tag = "9"
	must(t, ask(s, "appimage/update", &kuscia.UpdateAppImageRequest{Name: imageV1, Image: image.Image}).err())
	deployed := func(want string) {
		t.Helper()
		s.Advance(time.Hour)
		have, err := s.DeployedImage("a", "alice", "")
		must(t, err)
		if have != "secretflow/serving-anolis8:"+want {
			t.Errorf("runs %s, want tag %s", have, want)
		}
	}
	deployed("0.2.0b0")
	update(t, s, "a", "config") // no change: not reconciled
	deployed("0.2.0b0")
	update(t, s, "a", "config\n")
	deployed("9")
}

func TestHeldRolloutStaysAvailable(t *testing.T) {
	s := frozen(t, Options{})
	put(t, s, "a", party("alice", imageV1, 2))
	s.Advance(5 * time.Second)
	must(t, s.PauseRollout("a", true))
	update(t, s, "a", "new")
	s.Advance(time.Minute)
	wantShown(t, s, "a", "Available alice 2/2/0/0")
	must(t, s.PauseRollout("a", false))
	s.Advance(5 * time.Second)
	wantShown(t, s, "a", "Available alice 2/2/0/2")
}

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
			s.Advance(100 * time.Millisecond)
			s.Advance(100 * time.Millisecond)
			if adopted := shown(s, "a") != "null"; adopted != adopt {
				t.Errorf("adopted: %t", adopted)
			}
			s.Advance(5 * time.Second)
			wantShown(t, s, "a", "Available aliceserver 1/1/0/1")
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

func TestFailureIsOnlySeenBesideADeployment(t *testing.T) {
	s := frozen(t, Options{})
	bad := party("alice", imageV1, 1)
	bad.Resources = []kuscia.Resource{{MinCPU: "3", MaxCPU: "1"}}
	put(t, s, "first", bad, party("bob", imageV1, 1))
	put(t, s, "second", party("bob", imageV1, 1), bad)
	s.Advance(5 * time.Second)
	wantShown(t, s, "first", "null")
	wantShown(t, s, "second", "Failed bob 1/1/0/1")
}

// TestDeletionLeavesServicesOfOthers: Services select Deployments by name, which another
// serving may have too.
func TestDeletionLeavesServicesOfOthers(t *testing.T) {
	s := frozen(t, Options{})
	put(t, s, "a-server", party("alice", imageV1, 1))
	s.Advance(5 * time.Second)
	endpoints := func() int { return len(statusOf(s, "a-server").PartyStatuses[0].Endpoints) }
	before := endpoints()
	taken := party("alice", imageRoles, 1)
	taken.Role, taken.ServiceNamePrefix = "server", "other"
	put(t, s, "a", taken)
	s.Advance(5 * time.Second)
	if both := endpoints(); both <= before {
		t.Fatalf("%d endpoints with the Services of both, %d without", both, before)
	}
	must(t, s.RemoveServing("a"))
	s.Advance(5 * time.Second)
	if after := endpoints(); after != before || before == 0 {
		t.Errorf("%d endpoints, %d before", after, before)
	}
}

// TestAffinityModes: the KusciaAPI stores an affinity for each mode but none, which the
// Deployment has with its own selector. An unknown mode is anti-affinity.
func TestAffinityModes(t *testing.T) {
	s := frozen(t, Options{})
	for mode, want := range map[string]string{kuscia.AffinityNone: "", kuscia.Affinity: "near", kuscia.AntiAffinity: "apart", "": "apart", "bogus": "apart"} {
		id := "mode-" + mode + "x"
		must(t, s.PutServing(kuscia.CreateServingRequest{
			ServingID: id, Initiator: "alice", AffinityMode: mode, Parties: []kuscia.ServingParty{party("alice", imageV1, 1)},
		}))
		s.Advance(5 * time.Second)
		update(t, s, id, "new") // keeps it
		s.Advance(5 * time.Second)
		kd, err := s.KusciaDeployment(id)
		must(t, err)
		d, err := s.Deployment(id, "alice", "")
		must(t, err)
		for kind, have := range map[string]*objects.Affinity{"KusciaDeployment": kd.Spec.Parties[0].Template.Spec.Affinity, "Deployment": d.Spec.Template.Spec.Affinity} {
			is := ""
			if have != nil && have.PodAffinity != nil {
				is += "near"
			}
			if have != nil && have.PodAntiAffinity != nil {
				is += "apart"
			}
			if is != want {
				t.Errorf("mode %q: %s has %q, want %q", mode, kind, is, want)
			}
		}
	}
}
