package sandbox

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// versionRecording is what a real Kuscia of another version answered to the requests of the
// recordings, where it differs from what is recorded of v1.1.
type versionRecording struct {
	Version string `json:"version"`
	// Compared are the numbers of exchanges, by recording.
	Compared map[string]int `json:"compared"`
	// LeftOut is the number of values that are not compared.
	LeftOut     int                 `json:"left_out"`
	Differences []answeredOtherwise `json:"differences"`
}

// answeredOtherwise is a value in answers of another version.
type answeredOtherwise struct {
	// At is the place in the answer: http_status, content_type, body, or a path below body.
	At string `json:"at"`
	// Is is the value of the other version.
	Is any `json:"is,omitempty"`
	// Null and Absent are set instead of a value that is null, and for a field that is not there.
	Null   bool `json:"null,omitempty"`
	Absent bool `json:"absent,omitempty"`
	// Begins and Length are set instead of the value of a list whose end was not noted.
	Begins []any `json:"begins,omitempty"`
	Length int   `json:"length,omitempty"`
	// Source: the value was read in Kuscia's source, the notes of the answers leave it open.
	Source bool `json:"source,omitempty"`
	// LeftOut is the reason why the value is not compared.
	LeftOut string `json:"left_out,omitempty"`
	// Items are the exchanges, by recording and index.
	Items map[string][]int `json:"items"`
}

// answer is an exchange as the version answered it.
func (v *versionRecording) answer(name string, index int, item transcriptItem) transcriptItem {
	for _, d := range v.Differences {
		if !slices.Contains(d.Items[name], index) {
			continue
		}
		switch d.At {
		case "http_status":
			status := int(d.Is.(float64))
			item.HTTPStatus = &status
		case "content_type":
			text := d.Is.(string)
			item.ContentType = &text
		default:
			item.otherwise = append(item.otherwise, d)
		}
	}
	return item
}

// message is the message of the answer.
func (item transcriptItem) message() string {
	for _, d := range item.otherwise {
		if d.At == "body.status.message" {
			return fmt.Sprint(d.Is)
		}
	}
	var answered apiResponse
	_ = json.Unmarshal(item.Response, &answered) // an answer that is not JSON has no message
	return answered.Status.Message
}

// compared returns an answer and the recorded one without what is not compared.
func (item transcriptItem) compared(have any) (comparedHave, want any, err error) {
	want, err = normalise(item.Response)
	if err != nil {
		return nil, nil, fmt.Errorf("recorded answer: %w", err)
	}
	answers := [2]any{m{"body": have}, m{"body": want}}
	for _, d := range item.otherwise {
		for i := range answers {
			change := func(any) (any, bool) { return d.Is, !d.Absent }
			switch {
			case d.LeftOut != "":
				change = func(any) (any, bool) { return "LEFT OUT", true }
			case d.Begins != nil && i == 0:
				change = func(value any) (any, bool) {
					list, _ := value.([]any)
					return m{"begins": list[:min(len(list), len(d.Begins))], "length": len(list)}, true
				}
			case d.Begins != nil:
				change = func(any) (any, bool) { return m{"begins": d.Begins, "length": d.Length}, true }
			case i == 0:
				continue
			}
			if answers[i], err = changed(answers[i], strings.FieldsFunc(d.At, isSeparator), change); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", d.At, err)
			}
		}
	}
	have, want = answers[0].(m)["body"], answers[1].(m)["body"]
	return withoutMadeUp(have, want), want, nil
}

// withoutMadeUp is an answer whose made-up ids are noted as such where the wanted one has these.
func withoutMadeUp(have, want any) any {
	switch v := have.(type) {
	case m:
		if wanted, ok := want.(m); ok {
			for name := range v {
				v[name] = withoutMadeUp(v[name], wanted[name])
			}
		}
	case []any:
		if wanted, ok := want.([]any); ok && len(wanted) == len(v) {
			for i := range v {
				v[i] = withoutMadeUp(v[i], wanted[i])
			}
		}
	case string:
		if wanted, ok := want.(string); ok && strings.Contains(wanted, "MADE-UP") {
			return madeUp.ReplaceAllString(v, "MADE-UP")
		}
	}
	return have
}

func isSeparator(r rune) bool { return strings.ContainsRune(".[]", r) }

// changed is a JSON value with a change at a path. What is missing on the way is not made.
func changed(value any, path []string, change func(any) (any, bool)) (any, error) {
	if len(path) == 0 {
		value, _ = change(value)
		return value, nil
	}
	switch v := value.(type) {
	case m:
		if len(path) == 1 {
			field, stays := change(v[path[0]])
			v[path[0]] = field
			if !stays {
				delete(v, path[0])
			}
			return v, nil
		}
		field, err := changed(v[path[0]], path[1:], change)
		v[path[0]] = field
		return v, err
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i >= len(v) {
			return value, fmt.Errorf("no element %s", path[0])
		}
		v[i], err = changed(v[i], path[1:], change)
		return v, err
	}
	return value, nil
}

// TestConformanceOfVersions replays the recordings against the sandbox of each version that was tried on a
// real Kuscia, which answers as that one did: the same as v1.1 but for the noted differences.
func TestConformanceOfVersions(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/versions/*.json")
	must(t, err)
	if len(files) < 8 {
		t.Fatalf("%d versions", len(files))
	}
	for _, file := range files {
		of := readJSON[versionRecording](t, file)
		if testing.Short() && !slices.Contains([]string{"v0.5.0b0", "v0.10.0b0", "v0.15.0b1"}, of.Version) {
			continue
		}
		t.Run(of.Version, func(t *testing.T) {
			t.Parallel()
			replayVersion(t, &of)
		})
	}
}

// replayVersion replays the recordings that were sent to a Kuscia of this version.
func replayVersion(t *testing.T, of *versionRecording) {
	left := 0
	for _, d := range of.Differences {
		for _, items := range d.Items {
			if d.LeftOut != "" {
				left += len(items)
			}
		}
	}
	if left != of.LeftOut {
		t.Errorf("%d values are left out, want %d", left, of.LeftOut)
	}
	for _, file := range recordings(t) {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		want := of.Compared[name]
		if want == 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expected := readJSON[struct{ Sandbox *counts }](t, filepath.Join(filepath.Dir(file), "counts", filepath.Base(file))).Sandbox
			replay, compared := newReplay(t, name, nil, of), 0
			for i, item := range readJSON[transcript](t, file).Items {
				if expected.leftOut(i, item.Note) >= 0 {
					continue
				}
				key := fmt.Sprintf("%s[%d]", name, i)
				err := replay.step(key, i, item)
				if item.Request == nil || !isCompared(item.Request.URL) {
					continue // only what follows from it is known of this version
				}
				if compared++; err != nil {
					t.Errorf("%s %s: %v", key, item.Note, err)
				}
			}
			if compared != want {
				t.Errorf("%d exchanges were compared, want %d", compared, want)
			}
		})
	}
}

// isCompared reports whether requests to this address were sent to the other versions: to the
// master and to the autonomy node.
func isCompared(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Port() == portMaster || u.Port() == portNode)
}
