package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubeserver"
)

// transcript is a recording of exchanges with a real Kuscia.
type transcript struct {
	Items []transcriptItem `json:"items"`
}

// transcriptItem is an exchange, or another observation: a series over time,
// stored objects, counts.
type transcriptItem struct {
	Note    string `json:"note"`
	Request *struct {
		Method  string            `json:"method"`
		URL     string            `json:"url"`
		Headers map[string]string `json:"headers"`
		Body    json.RawMessage   `json:"body"`
	} `json:"request"`
	HTTPStatus  *int            `json:"http_status"`
	ContentType *string         `json:"content_type"`
	MS          float64         `json:"ms"`
	Response    json.RawMessage `json:"response"`
	Observed    json.RawMessage `json:"observed"`
	// otherwise is what another version answered differently.
	otherwise []answeredOtherwise
}

// counts are the expected numbers of replayed items of one transcript. They are
// in a file beside it (counts/), so that a new recording adds to no list.
type counts struct {
	Exchanges    int `json:"exchanges"`
	Observations int `json:"observations"`
	// Moments are the observations that depend on the virtual clock.
	Moments int `json:"moments"`
	// LeftOut are the items that cannot be replayed.
	LeftOut []struct {
		// Items is a regular expression over the index and the note of an item, Count the
		// number of items that it excludes.
		Items  string `json:"items"`
		Count  int    `json:"count"`
		Reason string `json:"reason"`
	} `json:"left_out,omitempty"`
}

// leftOut is the index of the first expression that matches an item, -1 if there is none.
func (c counts) leftOut(index int, note string) int {
	for i, items := range c.LeftOut {
		if regexp.MustCompile(items.Items).MatchString(fmt.Sprintf("%d %s", index, note)) {
			return i
		}
	}
	return -1
}

const transcripts = "../api/kuscia/testdata/transcripts"

// anotherApplication replaces SecretFlow-Serving in what was recorded: pods of the recorded
// clusters ran, whatever was in their image.
var anotherApplication = strings.NewReplacer("secretflow/serving-", "secretflow/nothing-", "secretflow_serving", "secretflow_nothing")

// readJSON reads a file of recordings, or of the objects before them.
func readJSON[T any](t testing.TB, file string) (value T) {
	t.Helper()
	text, err := os.ReadFile(file)
	must(t, err)
	must(t, json.Unmarshal([]byte(anotherApplication.Replace(string(text))), &value))
	return value
}

// TestConformance replays every recorded exchange against the sandbox and compares the
// responses, and checks other recorded observations. Items that cannot be replayed are in the
// counts, with the reason.
func TestConformance(t *testing.T) {
	t.Parallel()
	replayAll(t, nil, func(string) bool { return true })
}

// TestConformanceOnAPIServer is TestConformance with the objects in an API server, except for the
// moments of servings, for which testing/kubetest has recordings of its own.
func TestConformanceOnAPIServer(t *testing.T) {
	t.Parallel()
	short := []string{"serving-1-lifecycle", "appimage-1", "route-2-ready", "domaindata-1", "config-1"}
	replayAll(t, apiServer(t), func(name string) bool {
		return !strings.HasPrefix(name, "auth-") && (!testing.Short() || slices.Contains(short, name))
	})
}

// recordings are the files of all recordings.
func recordings(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(transcripts + "/*.json")
	must(t, err)
	objects, err := filepath.Glob(transcripts + "/rest/*.json")
	must(t, err)
	if files = append(files, objects...); len(files) < 20 {
		t.Fatalf("%d transcripts", len(files))
	}
	return files
}

func replayAll(t *testing.T, on *kubeserver.Server, includes func(name string) bool) {
	for _, file := range recordings(t) {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if !includes(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			if on == nil { // else all recordings have their objects in one API server
				t.Parallel()
			}
			expected := readJSON[struct{ Sandbox *counts }](t, filepath.Join(filepath.Dir(file), "counts", filepath.Base(file))).Sandbox
			if expected == nil {
				t.Fatal(`its counts have no "sandbox": {"exchanges": 0, "observations": 0}`)
			}
			replay, replayed, left, moments := newReplay(t, name, on, &versionRecording{}), map[bool]int{}, map[int]int{}, 0
			items := readJSON[transcript](t, file).Items
			held := holding(items)
			for i, item := range items {
				if replay.onMachine() && held[i] != held[i-1] {
					_, err := on.Request(t.Context(), http.MethodPut, "controllers/kuscia", m{"stopped": held[i]})
					must(t, err)
				}
				if by := expected.leftOut(i, item.Note); by >= 0 {
					left[by]++
					continue
				}
				if replay.onMachine() && item.Request == nil && !anyMoment.MatchString(item.Note) {
					moments++
					continue
				}
				key := fmt.Sprintf("%s[%d]", name, i)
				if err := replay.step(key, i, item); err != nil {
					t.Errorf("%s %s: %v", key, item.Note, err)
				}
				replayed[item.Request != nil]++
			}
			for i, items := range expected.LeftOut {
				if left[i] != items.Count || items.Reason == "" {
					t.Errorf("%d items match %q and are left out, want %d, because of: %s", left[i], items.Items, items.Count, items.Reason)
				}
			}
			if replayed[true] != expected.Exchanges || replayed[false]+moments != expected.Observations || moments > expected.Moments {
				t.Errorf("%d exchanges and %d observations were replayed, without %d moments, want %+v", replayed[true], replayed[false], moments, expected)
			}
		})
	}
}

// timeFactor is the duration of a second of the recordings in the API server.
const timeFactor = 0.1

// startAPIServer starts the API server of all tests of this package, which ends with them.
var startAPIServer = sync.OnceValues(func() (*kubeserver.Server, error) {
	dir, err := os.MkdirTemp("", "kubeconfig-")
	if err != nil {
		return nil, err
	}
	s, err := kubeserver.Start(dir, "-time-factor", fmt.Sprint(timeFactor))
	return s, errors.Join(err, os.RemoveAll(dir))
})

func apiServer(t *testing.T) *kubeserver.Server {
	t.Helper()
	s, err := startAPIServer()
	must(t, err)
	return s
}
