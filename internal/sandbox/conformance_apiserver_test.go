package sandbox

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubeserver"
)

// apiStore is an API server with the controllers of testing/kubetest.
type apiStore struct {
	api        *objects.API
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
		left, err := s.api.Deployments.List("", map[string]string{objects.LabelName: id})
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
	"^namespace after|KusciaDeployment generation|k8s deployment (strategy|replicas)$|^stored |^KusciaDeployment spec stored|image$|^input config reaching the pods|-> generation$")

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

// settles checks an observation until it holds; the controllers need some time.
func settles(check func() error) error {
	err := check()
	for deadline := time.Now().Add(20 * time.Second); err != nil && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		err = check()
	}
	return err
}

// TestConformanceOnAPIServer replays the recordings of servings, app images and domains with an
// API server as the store, as TestConformance does in memory.
func TestConformanceOnAPIServer(t *testing.T) {
	const factor = "0.1"
	server, err := kubeserver.Start(t.TempDir(), "-time-factor", factor)
	must(t, err)
	t.Cleanup(func() { must(t, server.Close()) })
	client, err := dynamic.NewForConfig(server.Config)
	must(t, err)
	on := &apiStore{namespaces: client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"})}
	must(t, json.Unmarshal([]byte(factor), &on.factor))
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
			var clean func() error
			on.api, clean = server.Objects()
			recorded, replay := readTranscript(t, file), newReplay(t, name, on)
			defer func() {
				ids := replay.master.ServingIDs()
				must(t, clean())
				for _, id := range ids {
					on.wait(t, id)
				}
			}()
			var counts apiServerCounts
			for i, item := range recorded.Items {
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
