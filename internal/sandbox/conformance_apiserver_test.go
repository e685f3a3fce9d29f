package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/apiserver"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubeserver"
)

// timeFactor is the duration of the controllers' steps in the API server of the tests,
// relative to real ones.
const timeFactor = "0.1"

// startAPIServer starts the API server of all tests of this package, which ends with them.
var startAPIServer = sync.OnceValues(func() (*kubeserver.Server, error) {
	dir, err := os.MkdirTemp("", "kubeconfig-")
	if err != nil {
		return nil, err
	}
	s, err := kubeserver.Start(dir, "-time-factor", timeFactor)
	return s, errors.Join(err, os.RemoveAll(dir))
})

func apiServer(t *testing.T) *kubeserver.Server {
	t.Helper()
	s, err := startAPIServer()
	must(t, err)
	return s
}

// apiStore is an API server with the controllers of testing/kubetest.
type apiStore struct {
	program    *kubeserver.Server
	api        *apiserver.Objects
	clean      func() error
	namespaces dynamic.ResourceInterface
	factor     float64
}

// wait waits until nothing is left of a deleted serving; memory needs no time.
func (s *apiStore) wait(t *testing.T, id string) {
	t.Helper()
	if s == nil {
		return
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		left, err := objects.Remote[objects.Deployment]{API: s.api}.List("", map[string]string{objects.LabelName: id})
		must(t, err)
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d Deployments of %s are left", len(left), id)
		}
	}
}

// observersOnAPIServer are the notes of observations that have a result on the clock of
// the machine too. The others are series over time, moments, and prints of all objects:
// memory has these on its virtual clock, and testing/kubetest compares them with other
// recordings.
var observersOnAPIServer = regexp.MustCompile(
	"^namespace after|KusciaDeployment.status|^kd status|KusciaDeployment generation|k8s deployment (strategy|replicas)$|^stored |^KusciaDeployment spec stored|image$|^input config reaching the pods|-> generation$")

// apiServerCounts are the numbers of items of one transcript with an API server. Of
// exchanges, those whose status alone differs pass; left observations need the virtual
// clock.
type apiServerCounts struct{ Exchanges, Observations, Left int }

// check compares the numbers with the expected ones in counts/.
func (c apiServerCounts) check(t *testing.T, transcript string) {
	t.Helper()
	file := filepath.Join(filepath.Dir(transcript), "counts", filepath.Base(transcript))
	text, err := os.ReadFile(file)
	must(t, err)
	var counts struct {
		APIServer *apiServerCounts `json:"api_server"`
	}
	must(t, json.Unmarshal(text, &counts))
	if counts.APIServer == nil || *counts.APIServer != c {
		t.Errorf("%+v on an API server; %s has %+v", c, file, counts.APIServer)
	}
}

// leftovers is in the response to a create of a serving whose earlier one has not been
// removed completely.
const leftovers = "of sub resources for serving already exists"

// holding returns the items between which Kuscia's controller did nothing in the recording:
// from the delete of a serving to a create that found its leftovers. The clock of the machine
// does not tell how far the controller gets in between.
func holding(items []transcriptItem) map[int]bool {
	held, deleted := map[int]bool{}, 0
	for i, item := range items {
		switch {
		case item.Request == nil:
		case strings.HasSuffix(item.Request.URL, "serving/delete") && succeeded(item.Response):
			deleted = i
		case strings.Contains(string(item.Response), leftovers):
			for ; deleted <= i; deleted++ {
				held[deleted] = true
			}
		}
	}
	return held
}

// hold stops Kuscia's controller, or lets it continue.
func (s *apiStore) hold(t *testing.T, stopped bool) {
	t.Helper()
	_, err := s.program.Request(t.Context(), http.MethodPut, "controllers/kuscia", map[string]bool{"stopped": stopped})
	must(t, err)
}

// TestConformanceOnAPIServer replays the recordings of servings, app images and domains with an
// API server as the store, as TestConformance does in memory.
func TestConformanceOnAPIServer(t *testing.T) {
	server := apiServer(t)
	client, err := dynamic.NewForConfig(server.Config)
	must(t, err)
	on := &apiStore{program: server, namespaces: client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"})}
	must(t, json.Unmarshal([]byte(timeFactor), &on.factor))
	files, err := filepath.Glob("../api/kuscia/testdata/transcripts/*.json")
	must(t, err)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if !strings.HasPrefix(name, "serving-") && !strings.HasPrefix(name, "appimage-") && !strings.HasPrefix(name, "domain-") {
			continue // no objects of the API server
		}
		if testing.Short() && name != "serving-1-lifecycle" && name != "appimage-1" && name != "domain-1" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			on.api = server.Objects()
			recorded, replay := readTranscript(t, file), newReplay(t, name, on)
			defer func() {
				ids := replay.master.ServingIDs()
				must(t, on.clean())
				for _, id := range ids {
					on.wait(t, id)
				}
			}()
			var counts apiServerCounts
			held := holding(recorded.Items)
			for i, item := range recorded.Items {
				if held[i] != held[i-1] {
					on.hold(t, held[i])
				}
				key := fmt.Sprintf("%s[%d]", name, i)
				if _, ok := listed[key+" "+item.Note]; ok {
					replay.skip(item)
					continue
				}
				switch {
				case item.Request != nil:
					counts.Exchanges++
				case observersOnAPIServer.MatchString(item.Note):
					counts.Observations++
				default:
					counts.Left++
					continue
				}
				if err := replay.step(i, item); err != nil {
					t.Errorf("%s %s: %v", key, item.Note, err)
				}
			}
			counts.check(t, file)
		})
	}
}
