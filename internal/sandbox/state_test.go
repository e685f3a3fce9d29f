package sandbox

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/domain"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/serving"
)

func TestStateSurvivesARestart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state.json")
	options := Options{StateFile: file, FrozenClock: true, Timing: cluster.RealTiming()}
	query := func(s *Sandbox, id string) string {
		value, err := normalise(ask(s, "serving/query", &serving.QueryServingRequest{ServingID: id}).Data)
		must(t, err)
		text, err := json.Marshal(value)
		must(t, err)
		return string(text)
	}

	first, err := Start(t.Context(), options)
	must(t, err)
	putImages(t, first, fixtureImages(t))
	must(t, ask(first, "domain/create", &domain.CreateDomainRequest{DomainID: "carol"}).err())
	full := party("carol", imageRoles, 2)
	full.Role = "server"
	full.Resources = []kuscia.Resource{{MinCPU: "0.5"}}
	put(t, first, "kept", party("alice", imageV1, 1), full)
	put(t, first, "broken", party("alice", imageBroken, 1))
	put(t, first, "gone", party("alice", imageV1, 1))
	first.Advance(10 * time.Second)
	must(t, first.RemoveServing("gone"))
	want := query(first, "kept") + query(first, "broken")
	must(t, first.Close())

	second, err := Start(t.Context(), options)
	must(t, err)
	defer func() { must(t, second.Close()) }()
	second.Advance(10 * time.Second)
	if have := query(second, "kept") + query(second, "broken"); have != want {
		t.Errorf("after the restart\n%s\nbefore\n%s", have, want)
	}
	if second.ServingExists("gone") {
		t.Error("a deleted serving came back")
	}
	put(t, second, "gone", party("alice", imageV1, 1)) // its leftovers were removed
	update(t, second, "kept", "", party("alice", "", 3))
	second.Advance(10 * time.Second)
	if status := statusOf(second, "kept"); status.State != kuscia.StateAvailable {
		t.Errorf("update after the restart: %+v", status)
	}
}

// TestStateOfAnotherForm: servings of another form are refused, and not dropped.
func TestStateOfAnotherForm(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state.json")
	for _, saved := range []string{`{"servings": [{"id": "a"}]}`, `{"cluster": {"services": [{"owner": "a"}]}}`} {
		must(t, os.WriteFile(file, []byte(`{"objects": `+saved+`}`), 0o600))
		if s, err := Start(t.Context(), Options{StateFile: file}); err == nil || !strings.Contains(err.Error(), "unknown field") {
			t.Errorf("%s: %v", saved, err)
			if err == nil {
				must(t, s.Close())
			}
		}
	}
}
