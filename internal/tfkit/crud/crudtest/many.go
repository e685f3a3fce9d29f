package crudtest

import (
	"reflect"
	"slices"
	"sync"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/tfkit/definition"
)

// parallelReads is Terraform's default parallelism.
const parallelReads = 10

// ReadMany refreshes states concurrently, as a plan does.
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

// drifted maps the index of each state that a refresh changed to the names of
// the top-level attributes that differ.
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

// Many are objects that one plan refreshes.
type Many struct {
	// Server returns a new server that serves the objects, as in a new run of
	// Terraform.
	Server func() *Server
	States []State
	// Drift changes the object of one of the states outside of Terraform, and
	// returns its index and the attribute that differs then.
	Drift func() (state int, attribute string)
	// Requests returns the number of requests to the API since its last call. A
	// refresh may send at most Most.
	Requests func() int
	Most     int
}

// ReadTogether checks that a refresh sends few requests, and that drift of one
// object shows on that object alone.
func (m Many) ReadTogether(t TB) {
	t.Helper()
	refresh := func(want map[int][]string) {
		t.Helper()
		server := m.Server()
		m.Requests()
		read := server.ReadMany(t, m.States)
		if requests := m.Requests(); requests > m.Most {
			t.Errorf("a refresh of %d objects takes %d requests, want at most %d", len(m.States), requests, m.Most)
		}
		if found := drifted(m.States, read); !reflect.DeepEqual(found, want) {
			t.Errorf("the refresh shows drift in %v, want %v", found, want)
		}
	}
	refresh(map[int][]string{})
	state, attribute := m.Drift()
	refresh(map[int][]string{state: {attribute}})
}
