package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/serving"
)

func startSandbox(t testing.TB, options Options) *Sandbox {
	t.Helper()
	s, err := Start(context.Background(), options)
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func fixtureImages(t testing.TB) (images []kuscia.AppImage) {
	t.Helper()
	return readJSON[[]kuscia.AppImage](t, "testdata/fixtures/app_images.json")
}

func putImages(t testing.TB, s *Sandbox, images []kuscia.AppImage) {
	t.Helper()
	for _, image := range images {
		must(t, s.PutAppImage(image))
	}
}

// Names of the fixture app images that the tests use.
const (
	imageV1    = "secretflow-serving-image"
	imageV2    = "secretflow-serving-image-v2"
	imageRoles = "roles-image"
)

// frozen starts a sandbox with the fixture images and a clock that only the
// test advances.
func frozen(t testing.TB, options Options) *Sandbox {
	t.Helper()
	options.FrozenClock = true
	if options.Timing == (cluster.Timing{}) {
		options.Timing = cluster.RealTiming()
	}
	s := startSandbox(t, options)
	putImages(t, s, fixtureImages(t))
	must(t, s.NumberPorts()) // old versions need numbers
	return s
}

// party is a party without a role.
func party(domainID, image string, replicas int32) kuscia.ServingParty {
	return kuscia.ServingParty{DomainID: domainID, AppImage: image, Replicas: &replicas}
}

func put(t testing.TB, s *Sandbox, id string, parties ...kuscia.ServingParty) {
	t.Helper()
	must(t, s.PutServing(kuscia.CreateServingRequest{ServingID: id, Initiator: parties[0].DomainID, Parties: parties}))
}

func update(t testing.TB, s *Sandbox, id string, parties ...kuscia.ServingParty) {
	t.Helper()
	must(t, ask(s, "serving/update", &kuscia.UpdateServingRequest{ServingID: id, Parties: parties}).err())
}

// shown formats the status of a serving as one line: the state and, by party,
// replicas, available, unavailable and updated.
func shown(s *Sandbox, id string) string {
	status := statusOf(s, id)
	if status == nil {
		return "null"
	}
	line := status.State
	for _, p := range status.PartyStatuses {
		line += fmt.Sprintf(" %s %d/%d/%d/%d", p.DomainID, p.Replicas, p.AvailableReplicas, p.UnavailableReplicas, p.UpdatedReplicas)
	}
	return line
}

func wantShown(t testing.TB, s *Sandbox, id, want string) {
	t.Helper()
	if have := shown(s, id); have != want {
		t.Errorf("status of %s is %q, want %q", id, have, want)
	}
}

// apiResponse is a response.
type apiResponse struct {
	Status struct {
		Code    int32
		Message string
	}
	Data json.RawMessage
	// Value is the value in the response to a configuration query.
	Value string
}

// err is nil for a success.
func (r apiResponse) err() error {
	if r.Status.Code == 0 {
		return nil
	}
	return fmt.Errorf("code %d: %s", r.Status.Code, r.Status.Message)
}

// ask sends a request without faults, records and the network.
func ask(s *Sandbox, op string, request any) apiResponse {
	body, err := json.Marshal(request)
	if err != nil {
		panic(err)
	}
	answered := httptest.NewRecorder()
	s.node.Handler("").ServeHTTP(answered, httptest.NewRequest(http.MethodPost, server.APIPrefix+op, bytes.NewReader(body)))
	var r apiResponse
	if err := json.Unmarshal(answered.Body.Bytes(), &r); err != nil {
		panic(err)
	}
	return r
}

// statusOf is the status of a serving, nil if null.
func statusOf(s *Sandbox, id string) *kuscia.ServingStatusDetail {
	var data struct{ Servings []kuscia.ServingStatus }
	r := ask(s, "serving/status/batchQuery", &serving.BatchQueryServingStatusRequest{ServingIDs: []string{id}})
	if json.Unmarshal(r.Data, &data) != nil || len(data.Servings) == 0 {
		return nil
	}
	return data.Servings[0].Status
}
