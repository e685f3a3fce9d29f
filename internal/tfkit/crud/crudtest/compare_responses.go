package crudtest

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definitiontest"
)

// TB has the common methods of *testing.T and *rapid.T.
type TB interface {
	protocol.Failer
	Errorf(format string, args ...any)
}

// CompareResponses compares the complete responses of a server without shortcuts (bare)
// and one with shortcuts (fast) to a validation, a plan, a refresh and an
// upgrade.
func CompareResponses(t TB, bare, fast *Server, config definition.Value, state State) {
	t.Helper()
	if got, want := messages(fast.Validate(t, config).Diagnostics), messages(bare.Validate(t, config).Diagnostics); !slices.Equal(got, want) {
		t.Errorf("validation diagnostics %q, want %q", got, want)
	}
	agreeOnPlan(t, bare, fast, config, state)
	if state.Value.IsNull() {
		return
	}
	agreeOnRead(t, bare, fast, state)
	if state.Value.IsFullyKnown() {
		got, want := fast.Upgrade(t, state.Value), bare.Upgrade(t, state.Value)
		if a, b := protocol.Decode(bare.Kind, got.UpgradedState), protocol.Decode(bare.Kind, want.UpgradedState); !a.Equal(b) || len(got.Diagnostics) != len(want.Diagnostics) {
			t.Errorf("upgraded\n%s\nwant\n%s", a, b)
		}
	}
}

// CompareEdited is CompareResponses for a configuration, a state and a private state that
// have been edited: no plan has made them, and many are invalid. other is another
// configuration.
func CompareEdited(t *rapid.T, bare, fast *Server, of *definition.Definition, config, other definition.Value, state State) {
	t.Helper()
	if !state.Value.IsNull() && rapid.Bool().Draw(t, "edited state") {
		state.Value = definitiontest.EditedState(t, of, state.Value, other)
		state.Private = editedPrivate(t, state.Private)
	}
	if rapid.IntRange(0, 3).Draw(t, "no identity") == 0 {
		state.Identity = nil
	}
	CompareResponses(t, bare, fast, definitiontest.EditedConfig(t, of, config, other), state)
}

// editedPrivate is a private state with another value of some keys.
func editedPrivate(t *rapid.T, private []byte) []byte {
	switch rapid.SampledFrom([]string{"same", "same", "edited", "none"}).Draw(t, "private state") {
	case "same":
		return private
	case "none":
		return nil
	}
	keys := PrivateKeys(t, private)
	keys["imported"], keys["uncertain"] = nil, nil // what an import and a lost create leave
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if value := rapid.SampledFrom([]string{"", "", "{}", "true", "7", "[]", `{"containers":7}`, "absent"}).Draw(t, key); value == "absent" || value == "" && keys[key] == nil {
			delete(keys, key)
		} else if value != "" {
			keys[key] = []byte(value)
		}
	}
	if len(keys) == 0 {
		return nil
	}
	encoded, err := json.Marshal(keys)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// requestID is the ID of a request in an error of the API.
var requestID = regexp.MustCompile(`\(request [^)]*\)`)

// messages are the diagnostics in a stable order, since the framework iterates over
// maps, and without the IDs of requests.
func messages(diagnostics []*tfprotov6.Diagnostic) []string {
	text := requestID.ReplaceAllString(protocol.Messages(diagnostics), "(request ID)")
	return slices.Sorted(strings.SplitSeq(text, "\n"))
}

func agreeOnPlan(t TB, bare, fast *Server, config definition.Value, state State) {
	t.Helper()
	got, a := fast.Plan(t, config, state)
	want, b := bare.Plan(t, config, state)
	if !a.Equal(b) {
		t.Errorf("planned\n%s\nwant\n%s", a, b)
	}
	if !bytes.Equal(got.PlannedPrivate, want.PlannedPrivate) {
		t.Errorf("planned private %s, want %s", got.PlannedPrivate, want.PlannedPrivate)
	}
	if x, y := messages(got.Diagnostics), messages(want.Diagnostics); !slices.Equal(x, y) {
		t.Errorf("plan diagnostics %q, want %q", x, y)
	}
	// Compare the remaining fields as a whole, so that fields added later are
	// compared too.
	for _, response := range []*tfprotov6.PlanResourceChangeResponse{got, want} {
		response.PlannedState, response.PlannedPrivate, response.Diagnostics = nil, nil, nil
		if len(response.RequiresReplace) == 0 {
			response.RequiresReplace = nil
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("plan is %+v, want %+v", got, want)
	}
}

func agreeOnRead(t TB, bare, fast *Server, state State) {
	t.Helper()
	got, a := fast.Read(t, state)
	want, b := bare.Read(t, state)
	if !a.Value.Equal(b.Value) {
		t.Errorf("read\n%s\nwant\n%s", a.Value, b.Value)
	}
	if x, y := timeless(t, got.Private), timeless(t, want.Private); !maps.Equal(x, y) {
		t.Errorf("private %v, want %v", x, y)
	}
	if x, y := messages(got.Diagnostics), messages(want.Diagnostics); !slices.Equal(x, y) {
		t.Errorf("read diagnostics %q, want %q", x, y)
	}
	for _, response := range []*tfprotov6.ReadResourceResponse{got, want} {
		response.NewState, response.Private, response.Diagnostics = nil, nil, nil
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read is %+v, want %+v", got, want)
	}
}

var timestamp = regexp.MustCompile(`"[0-9]{4}-[0-9]{2}-[0-9]{2}T[^"]*"`)

// timeless is a private state without the times of refreshes.
func timeless(t TB, private []byte) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for key, value := range PrivateKeys(t, private) {
		texts[key] = timestamp.ReplaceAllString(string(value), "TIME")
	}
	return texts
}

// PrivateKeys are the keys of a private state with their values.
func PrivateKeys(t TB, private []byte) map[string][]byte {
	t.Helper()
	keys := map[string][]byte{}
	if len(private) > 0 && json.Unmarshal(private, &keys) != nil {
		t.Fatal("private state is " + string(private))
	}
	return keys
}
