package sandbox

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// transcript is a recording of exchanges with a real Kuscia.
type transcript struct {
	Title string           `json:"title"`
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
}

func readTranscript(t *testing.T, file string) (recorded transcript) {
	t.Helper()
	text, err := os.ReadFile(file)
	must(t, err)
	must(t, json.Unmarshal(text, &recorded))
	return recorded
}

// TestConformance replays every recorded exchange against the sandbox and
// compares the responses, and checks other recorded observations that the
// sandbox supports. Items that cannot be replayed are listed.
func TestConformance(t *testing.T) {
	files, err := filepath.Glob("../api/kuscia/testdata/transcripts/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	replayed, used := 0, map[string]bool{}
	for _, file := range files {
		name := filepath.Base(file[:len(file)-len(".json")])
		t.Run(name, func(t *testing.T) {
			recorded, replay := readTranscript(t, file), newReplay(t, name, nil)
			for i, item := range recorded.Items {
				key := fmt.Sprintf("%s[%d] %s", name, i, item.Note)
				if _, ok := listed[key]; ok {
					used[key] = true
					replay.skip(item)
					continue
				}
				if err := replay.step(i, item); err != nil {
					t.Errorf("%s: %v", key, err)
				}
				replayed++
			}
		})
	}
	for key := range listed {
		if !used[key] {
			t.Errorf("listed but not recorded: %s", key)
		}
	}
	fmt.Printf("conformance: %d replayed, %d listed\n", replayed, len(used))
}
