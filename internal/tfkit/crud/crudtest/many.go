package crudtest

import (
	"reflect"
	"slices"
	"sync"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// parallelReads is how many resources Terraform reads at a time.
const parallelReads = 10

// ReadMany refreshes states as a plan does.
func (s *Server) ReadMany(t protocol.Failer, states []State) []State {
	t.Helper()
	read := make([]State, len(states))
	var all sync.WaitGroup
	slots := make(chan struct{}, parallelReads)
	for i := range states {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			_, read[i] = s.Read(t, states[i])
		})
	}
	all.Wait()
	return read
}

// drifted are the indexes of states that a refresh has changed, with the names
// of the attributes at the top that differ.
func drifted(before, after []State) map[int][]string {
	changed := map[int][]string{}
	for i := range before {
		if before[i].Value.Equal(after[i].Value) {
			continue
		}
		changed[i] = []string{}
		was := definition.FieldsOf(before[i].Value)
		for name, value := range definition.FieldsOf(after[i].Value) {
			if !value.Equal(was[name]) {
				changed[i] = append(changed[i], name)
			}
		}
		slices.Sort(changed[i])
	}
	return changed
}

// Many are objects that a plan refreshes together.
type Many struct {
	// Server serves them as in a new run.
	Server func() *Server
	States []State
	// Drift changes the object of a state as somebody else does, and names the
	// attribute that then differs.
	Drift func() (state int, attribute string)
	// Requests returns how many requests the API had since it was called before,
	// of which a refresh may take Most.
	Requests func() int
	Most     int
}

// ReadTogether wants few requests of a refresh, and what changed in one object
// to show as exactly that.
func (m Many) ReadTogether(t TB) {
	t.Helper()
	refresh := func(want map[int][]string) {
		t.Helper()
		server := m.Server()
		m.Requests()
		read := server.ReadMany(t, m.States)
		if asked := m.Requests(); asked > m.Most {
			t.Errorf("a refresh of %d objects takes %d requests, want at most %d", len(m.States), asked, m.Most)
		}
		if found := drifted(m.States, read); !reflect.DeepEqual(found, want) {
			t.Errorf("the refresh finds %v, want %v", found, want)
		}
	}
	refresh(map[int][]string{})
	state, attribute := m.Drift()
	refresh(map[int][]string{state: {attribute}})
}
