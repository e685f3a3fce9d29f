package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// recordedToken replaces the token in the transcripts.
const recordedToken = "RECORDEDTOKENRECORDEDTOKENRECORD"

// The servers in the recordings, by port.
const (
	portMaster   = "18082"
	portInternal = "18092"
	portMTLS     = "28082"
	portTLS      = "38082"
	portAutonomy = "48082"
)

// replay replays one transcript against servers on a frozen clock.
type replay struct {
	t            *testing.T
	name         string
	on           *apiStore // nil for memory
	controlPlane *server.ControlPlane
	master       *Sandbox
	servers      map[string]*Sandbox
	internal     *httptest.Server
	// pageTokens maps recorded page tokens to those of the sandbox.
	pageTokens map[string]string
	// lastID is the serving id of the last request.
	lastID string
	// lastCreate is the last create of a serving.
	lastCreate kuscia.CreateServingRequest
	// lastName is the name of the app image of the last request.
	lastName string
	// before are the app images before the last update.
	before map[string]kuscia.AppImage
	// generations are those before the last update, by serving.
	generations map[string]int64
}

// newReplay returns a replay with the objects that existed before the recording. With
// an API server, it has the app images and servings.
func newReplay(t *testing.T, name string, on *apiStore) *replay {
	options := Options{
		Timing: cluster.RealTiming(), FrozenClock: true, Seed: 1, Token: recordedToken,
	}
	r := &replay{
		t: t, name: name, on: on, servers: map[string]*Sandbox{},
		pageTokens: map[string]string{}, before: map[string]kuscia.AppImage{}, generations: map[string]int64{},
	}
	r.master = startSandbox(t, options)
	r.controlPlane = r.master.node.ControlPlane
	r.servers[portMaster] = r.master
	if on != nil {
		must(t, r.master.UseAPI(on.api))
		on.clean = on.api.Record()
	}
	images := fixtureImages(t)
	putImages(t, r.master, images)
	r.setUp(options, images)
	return r
}

// setUp creates the objects that existed before the recording.
func (r *replay) setUp(options Options, images []kuscia.AppImage) {
	t := r.t
	switch r.name {
	case "serving-1-lifecycle", "serving-3-update", "serving-8-stale-status", "serving-9-heal", "appimage-1", "domain-1":
		return
	}
	config := `{"partyConfigs": {"alice": {"modelConfig": {"modelId": "glm-test-1", "basePath": "/tmp/alice", "sourceType": "ST_FILE"}}, "bob": {"modelConfig": {"modelId": "glm-test-1", "basePath": "/tmp/bob", "sourceType": "ST_FILE"}}}}`
	must(t, r.master.PutServing(kuscia.CreateServingRequest{
		ServingID: "serving-1", Initiator: "alice", ServingInputConfig: config,
		Parties: []kuscia.ServingParty{
			{DomainID: "alice", AppImage: "secretflow-serving-image"},
			{DomainID: "bob", AppImage: "secretflow-serving-image"},
		},
	}))
	r.advance(5 * time.Second)
	if r.name == "serving-4-query-delete-proto" {
		options.Autonomy = "alice"
		r.servers[portAutonomy] = startSandbox(t, options)
		putImages(t, r.servers[portAutonomy], images)
	}
	if r.name == "auth-1-tls-token" {
		for port, protocol := range map[string]string{portMTLS: ProtocolMTLS, portTLS: ProtocolTLS} {
			shared := options
			shared.Protocol = protocol
			shared, err := shared.withDefaults()
			must(t, err)
			s, err := startOn(t.Context(), shared, r.controlPlane)
			must(t, err)
			t.Cleanup(func() { must(t, s.Close()) })
			r.servers[port] = s
		}
		r.internal = httptest.NewServer(r.master.InternalHandler())
		t.Cleanup(r.internal.Close)
	}
}

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

func fixtureImages(t testing.TB) []kuscia.AppImage {
	t.Helper()
	text, err := os.ReadFile("testdata/fixtures/app_images.json")
	must(t, err)
	var images []kuscia.AppImage
	must(t, json.Unmarshal(text, &images))
	return images
}

func putImages(t testing.TB, s *Sandbox, images []kuscia.AppImage) {
	t.Helper()
	for _, image := range images {
		must(t, s.PutAppImage(image))
	}
}

// advance advances the clock; an API server has the clock of the machine.
func (r *replay) advance(d time.Duration) {
	r.master.Advance(d)
	if r.on != nil {
		time.Sleep(time.Duration(float64(d) * r.on.factor))
	}
}

// skip advances the control plane by the duration of an excluded item.
func (r *replay) skip(item transcriptItem) {
	r.advance(time.Duration(item.MS * float64(time.Millisecond)))
}

var waitNote = regexp.MustCompile(`([\d.]+) s (later|after)`)

// pauses are waits in the recording that no note mentions, before the item of
// this transcript and index.
var pauses = map[string]time.Duration{
	"serving-9-heal[3]": 5 * time.Second, // the servings were stable
	// The pods of an update were starting at item 15, and about to be replaced
	// at item 17.
	"serving-5-traps[15]": 300 * time.Millisecond,
	"serving-5-traps[17]": 180 * time.Millisecond,
}

// instant are exchanges whose recorded duration was caused by the load of the
// machine.
var instant = map[string]bool{"serving-5-traps[15]": true, "serving-5-traps[16]": true}

func (r *replay) step(index int, item transcriptItem) error {
	key := fmt.Sprintf("%s[%d]", r.name, index)
	r.advance(pauses[key])
	if instant[key] {
		item.MS = 0
	}
	if wait := waitNote.FindStringSubmatch(item.Note); wait != nil {
		seconds, err := strconv.ParseFloat(wait[1], 64)
		if err != nil {
			return err
		}
		r.advance(time.Duration(seconds * float64(time.Second)))
	}
	if item.Request == nil {
		return r.observe(item)
	}
	return r.exchange(item)
}

// maxConflicts is how often a request is repeated after a conflict with controllers.
const maxConflicts = 20

func conflicts(response []byte) bool {
	return bytes.Contains(response, []byte("the object has been modified"))
}

// exchange sends a recorded request and compares the response.
func (r *replay) exchange(item transcriptItem) error {
	address, err := url.Parse(item.Request.URL)
	if err != nil {
		return err
	}
	body, err := r.requestBody(item)
	if err != nil {
		return err
	}
	r.prepare(address.Path, body, item)
	got, err := r.send(item, address, body)
	for try := 0; err == nil && try < maxConflicts && r.on != nil && conflicts(got.body) && !conflicts(item.Response); try++ {
		got, err = r.send(item, address, body) // the controllers write at other moments
	}
	if err != nil {
		return compareTransportError(item, err)
	}
	r.advance(time.Duration(item.MS * float64(time.Millisecond)))
	return r.compare(item, address, body, got)
}

// reply is a response.
type reply struct {
	status      int
	contentType *string
	body        []byte
}

func (r *replay) send(item transcriptItem, address *url.URL, body []byte) (reply, error) {
	client, target := r.clientFor(item, address)
	request, err := http.NewRequest(item.Request.Method, target, bytes.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	for name, value := range item.Request.Headers {
		request.Header.Set(name, value)
	}
	if _, given := item.Request.Headers["Content-Type"]; !given {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := client.Do(request)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	got := reply{status: response.StatusCode, body: text}
	if values := response.Header.Values("Content-Type"); len(values) > 0 {
		got.contentType = &values[0]
	}
	return got, err
}

// requestBody is the recorded body; some are only described in the recording.
func (r *replay) requestBody(item transcriptItem) ([]byte, error) {
	raw := item.Request.Body
	var text string
	if json.Unmarshal(raw, &text) != nil {
		for recorded, ours := range r.pageTokens {
			raw = bytes.ReplaceAll(raw, []byte(recorded), []byte(ours))
		}
		return raw, nil
	}
	sizes := map[string]int{
		"(300 kB serving_input_config)": 300_000,
		"(1.6 MB serving_input_config)": 1_600_000,
		"(3.5 MB serving_input_config)": 3_500_000,
	}
	if size, ok := sizes[text]; ok {
		return json.Marshal(kuscia.CreateServingRequest{
			ServingID: "large", Initiator: "alice", ServingInputConfig: strings.Repeat("x", size),
			Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: "secretflow-serving-image"}},
		})
	}
	return []byte(text), nil
}

// prepare does what was done outside of the API before the exchange: it deletes
// objects that must be missing for the recorded success.
func (r *replay) prepare(path string, body []byte, item transcriptItem) {
	var named struct {
		ServingID string `json:"serving_id"`
		Name      string `json:"name"`
	}
	_ = json.Unmarshal(body, &named) // bodies that are not JSON have no names
	if named.ServingID != "" {
		r.lastID = named.ServingID
	}
	if named.Name != "" {
		r.lastName = named.Name
	}
	switch strings.TrimPrefix(path, server.APIPrefix) {
	case "serving/create":
		r.lastCreate = kuscia.CreateServingRequest{}
		_ = json.Unmarshal(body, &r.lastCreate) // bodies that are not JSON are refused
		if !bytes.Contains(item.Response, []byte("already exists")) && r.master.ServingExists(named.ServingID) {
			must(r.t, r.master.RemoveServing(named.ServingID))
			r.advance(time.Second)
			r.on.wait(r.t, named.ServingID)
		}
	case "serving/update":
		if kd, err := r.master.KusciaDeployment(named.ServingID); err == nil {
			r.generations[named.ServingID] = kd.Generation
		}
	case "appimage/create":
		if _, err := r.master.AppImage(named.Name); err == nil && succeeded(item.Response) {
			must(r.t, r.master.RemoveAppImage(named.Name))
		}
	case "appimage/update":
		if image, err := r.master.AppImage(named.Name); err == nil {
			r.before[named.Name] = image
		}
	}
}

func succeeded(response json.RawMessage) bool {
	var envelope struct {
		Status struct {
			Code int32 `json:"code"`
		} `json:"status"`
	}
	return json.Unmarshal(response, &envelope) == nil && envelope.Status.Code == 0
}

// statusWindow is the maximum time to wait for a recorded status: the time
// between two exchanges was not recorded.
const (
	statusWindow = 3 * time.Second
	statusStep   = 5 * time.Millisecond
)

func (r *replay) compare(item transcriptItem, address *url.URL, body []byte, got reply) error {
	if item.HTTPStatus == nil || got.status != *item.HTTPStatus {
		return fmt.Errorf("HTTP status %d, recorded %v", got.status, item.HTTPStatus)
	}
	if !reflect.DeepEqual(got.contentType, item.ContentType) {
		return fmt.Errorf("content type %s, recorded %s", show(got.contentType), show(item.ContentType))
	}
	want, err := normalise(item.Response)
	if err != nil {
		return err
	}
	have, err := normalise(asJSON(got.body))
	if err != nil {
		return err
	}
	r.learnTokens(item.Response, got.body)
	if reflect.DeepEqual(have, want) {
		return nil
	}
	difference := differenceOf(have, want)
	if !isStatusPath(address.Path) || !equalWithoutStatus(have, want) {
		return errors.New(difference)
	}
	if r.on != nil {
		return nil // the clock of the machine does not stop at the recorded moment; memory is compared
	}
	// Only the status differs: advance until it is the recorded one.
	for waited := time.Duration(0); waited < statusWindow; waited += statusStep {
		r.advance(statusStep)
		again := httptest.NewRecorder()
		request := httptest.NewRequest(http.MethodPost, address.Path, bytes.NewReader(body))
		r.master.Handler().ServeHTTP(again, request)
		if have, err = normalise(again.Body.Bytes()); err != nil {
			return err
		}
		if reflect.DeepEqual(have, want) {
			return nil
		}
	}
	return fmt.Errorf("no moment within %s has the recorded status; at first: %s", statusWindow, difference)
}

func isStatusPath(path string) bool {
	return strings.HasSuffix(path, "serving/query") || path == server.APIPrefix+"serving/status/batchQuery"
}

func show(text *string) string {
	if text == nil {
		return "none"
	}
	return *text
}

// learnTokens records which page token of the sandbox corresponds to a recorded
// one.
func (r *replay) learnTokens(recorded, got []byte) {
	var want, have struct {
		Data struct {
			NextPageToken string `json:"next_page_token"`
		} `json:"data"`
	}
	if json.Unmarshal(recorded, &want) == nil && json.Unmarshal(got, &have) == nil && want.Data.NextPageToken != "" {
		r.pageTokens[want.Data.NextPageToken] = have.Data.NextPageToken
	}
}
