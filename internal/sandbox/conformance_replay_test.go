package sandbox

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia/versions"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/domain"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/kubeserver"
)

// recordedToken replaces the token in the transcripts.
const recordedToken = "RECORDEDTOKENRECORDEDTOKENRECORD"

const nodeOfRecordings = "rk-auto"

// The servers in the recordings, by port. The lite node could not reach a master.
const (
	portMaster   = "18082"
	portInternal = "18092"
	portMTLS     = "28082"
	portTLS      = "38082"
	portAutonomy = "48082"
	portNode     = "58082" // autonomy node of rk-auto
	portLite     = "59082" // lite node of rk-auto
)

// replay replays one transcript against servers on a frozen clock, which share one store.
type replay struct {
	t            *testing.T
	name         string
	controlPlane *server.ControlPlane
	master       *Sandbox
	servers      map[string]*Sandbox
	internal     http.Handler
	// ids maps recorded ids and page tokens to those of the sandbox.
	ids map[string]string
	// polls are the start times of series of polls, by name.
	polls map[string]time.Time
	// last is the last exchange; lastCertificate is the last response with a
	// certificate.
	last            transcriptItem
	lastCertificate []byte
	// lastID is the serving id of the last request, lastName the name of its app image.
	lastID, lastName string
	// lastCreate is the last create of a serving.
	lastCreate kuscia.CreateServingRequest
	// before are the app images before the last update.
	before map[string]kuscia.AppImage
	// generations are those before the last update, by serving.
	generations map[string]int64
	// of has what the version of this replay answered differently.
	of *versionRecording
}

// newReplay returns a replay with the objects that existed before the recording.
func newReplay(t *testing.T, name string, on *kubeserver.Server, of *versionRecording) *replay {
	options := Options{
		Version: of.Version,
		Timing:  cluster.RealTiming(), FrozenClock: true, Seed: 1, Token: recordedToken, StaleConfig: -1, WriteWindow: time.Microsecond,
	}
	master := startSandbox(t, options)
	r := &replay{
		t: t, name: name, controlPlane: master.node.ControlPlane, master: master, servers: map[string]*Sandbox{portMaster: master},
		internal: master.InternalHandler(), ids: map[string]string{}, polls: map[string]time.Time{},
		before: map[string]kuscia.AppImage{}, generations: map[string]int64{}, of: of,
	}
	for port, change := range map[string]func(*Options){
		portAutonomy: func(o *Options) { o.Autonomy = "alice" },
		portNode:     func(o *Options) { o.Autonomy = nodeOfRecordings },
		portLite:     func(o *Options) { o.Lite = nodeOfRecordings },
		portMTLS:     func(o *Options) { o.Protocol = ProtocolMTLS },
		portTLS:      func(o *Options) { o.Protocol = ProtocolTLS },
	} {
		options, err := options.withDefaults()
		must(t, err)
		change(&options)
		if options.Protocol != ProtocolNOTLS && !r.secure() {
			continue
		}
		if name == "serving-4-query-delete-proto" && port == portAutonomy { // the only one with a control plane of its own
			r.servers[port] = startSandbox(t, options)
			putImages(t, r.servers[port], fixtureImages(t))
			must(t, r.servers[port].NumberPorts())
			continue
		}
		s, err := startOn(t.Context(), options, r.controlPlane)
		must(t, err)
		t.Cleanup(func() { must(t, s.Close()) })
		r.servers[port] = s
	}
	if on != nil {
		api := on.Objects()
		must(t, master.UseAPI(api))
		clean := api.Record()
		t.Cleanup(func() {
			must(t, clean())
			r.waitUntilGone(nil)
		})
	}
	r.setUp()
	return r
}

// secure reports whether the recording has exchanges over TLS.
func (r *replay) secure() bool { return r.name == "auth-1-tls-token" }

// ofObjects reports whether the recording is one of objects that the control plane changes at once.
func (r *replay) ofObjects() bool {
	return !strings.HasPrefix(r.name, "serving-") && !strings.HasPrefix(r.name, "appimage-") && r.name != "domain-1" && !r.secure()
}

// onMachine reports whether the controllers of the recorded objects have the clock of the machine.
func (r *replay) onMachine() bool {
	return r.controlPlane.API != nil && strings.HasPrefix(r.name, "serving-")
}

// anyMoment matches the notes of observations of servings that do not depend on the moment.
var anyMoment = regexp.MustCompile(
	"^namespace after|KusciaDeployment.status|^kd status|KusciaDeployment generation|k8s deployment (strategy|replicas)$|^stored |^KusciaDeployment spec stored|image$|^input config reaching the pods|-> generation$")

// holding returns the items between which Kuscia's controller did nothing in the recording: from
// the delete of a serving to a create that found its leftovers.
func holding(items []transcriptItem) map[int]bool {
	held, deleted := map[int]bool{}, 0
	for i, item := range items {
		switch {
		case item.Request == nil:
		case strings.HasSuffix(item.Request.URL, "serving/delete") && bytes.Contains(item.Response, []byte(`"code": 0`)):
			deleted = i
		case bytes.Contains(item.Response, []byte(leftovers)):
			for ; deleted <= i; deleted++ {
				held[deleted] = true
			}
		}
	}
	return held
}

// waitUntilGone waits until nothing is left of deleted servings with these labels.
func (r *replay) waitUntilGone(labels map[string]string) {
	if !r.onMachine() {
		return
	}
	eventually(r.t, "deleted servings", func() error {
		left, err := objects.Remote[objects.Deployment]{API: r.controlPlane.API}.List("", labels)
		if len(left) > 0 {
			err = fmt.Errorf("%d Deployments are left", len(left))
		}
		return err
	})
}

// setUp creates the objects that existed before the recording.
func (r *replay) setUp() {
	if r.ofObjects() {
		for _, request := range recordedDomains(r.t)[r.name] {
			if request.Cert != "" && !versions.Parse(r.of.Version).Has(versions.PEMCertificates) {
				request.Cert = base64.StdEncoding.EncodeToString([]byte(request.Cert))
			}
			must(r.t, ask(r.master, "domain/create", &request).err())
		}
		if r.of.Version != "" { // the node of these recordings had run before
			r.addDefaultDataSource(nodeOfRecordings)
		}
		if r.name == "extra-1-races-and-links" || r.name == "grant-1" || r.name == "domaindata-1" || r.name == "datasource-1" || r.name == "config-1" {
			r.advance(time.Second)
		}
		return
	}
	putImages(r.t, r.master, fixtureImages(r.t))
	if !versions.Parse(r.of.Version).Has(versions.PortAllocation) {
		must(r.t, r.master.NumberPorts())
	}
	switch r.name {
	case "serving-1-lifecycle", "serving-3-update", "serving-8-stale-status", "serving-9-heal", "appimage-1", "domain-1":
		return
	}
	config := `{"partyConfigs": {"alice": {"modelConfig": {"modelId": "glm-test-1", "basePath": "/tmp/alice", "sourceType": "ST_FILE"}}, "bob": {"modelConfig": {"modelId": "glm-test-1", "basePath": "/tmp/bob", "sourceType": "ST_FILE"}}}}`
	must(r.t, r.master.PutServing(kuscia.CreateServingRequest{
		ServingID: "serving-1", Initiator: "alice", ServingInputConfig: config,
		Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: imageV1}, {DomainID: "bob", AppImage: imageV1}},
	}))
	r.advance(5 * time.Second)
}

// addDefaultDataSource adds the data source that a node adds, if its domain exists.
func (r *replay) addDefaultDataSource(id string) {
	defer r.controlPlane.Acquire()()
	if server.TableOf[objects.Domain](r.controlPlane).Get("", id) != nil {
		must(r.t, domain.Of(r.controlPlane).AddDefaultDataSource(id))
	}
}

// recordedDomains existed before the recordings, by transcript. Their
// certificate is the one at the start of the recording of routes.
func recordedDomains(t *testing.T) map[string][]domain.CreateDomainRequest {
	routes := readJSON[transcript](t, transcripts+"/rest/route-1.json")
	cert := func(item int) string {
		var request struct {
			Cert string `json:"cert"`
		}
		must(t, json.Unmarshal(routes.Items[item].Request.Body, &request))
		return request.Cert
	}
	own := domain.CreateDomainRequest{DomainID: nodeOfRecordings}
	a, b := domain.CreateDomainRequest{DomainID: "rk-a", Cert: cert(0)}, domain.CreateDomainRequest{DomainID: "rk-b", Cert: cert(1)}
	n, p := domain.CreateDomainRequest{DomainID: "rk-n"}, domain.CreateDomainRequest{DomainID: "rk-p", Role: domain.DomainRolePartner}
	return map[string][]domain.CreateDomainRequest{
		"config-1": {own}, "datasource-1": {own, b}, "domaindata-1": {own, b}, "grant-1": {own, b, n, p}, "grant-2-slow": {own, b},
		"route-2-ready": {a, b}, "extra-1-races-and-links": {own, a, b}, "misc-1-health-certificate-log": {own},
	}
}

func (r *replay) advance(d time.Duration) {
	r.master.Advance(d)
	if r.onMachine() {
		time.Sleep(time.Duration(float64(d) * timeFactor))
	}
}

func (r *replay) advanceTo(at time.Time) {
	if wait := at.Sub(r.controlPlane.ClockTime()); wait > 0 {
		r.advance(wait)
	}
}

var (
	pollBegins  = regexp.MustCompile(`^(.*): first answer$`)
	pollChanges = regexp.MustCompile(`^(.*): changed after ([\d.]+) s$`)
	pollEnds    = regexp.MustCompile(`^(.*): condition (met after|NOT met in) ([\d.]+) s`)
	someTime    = regexp.MustCompile(`\b(?:after ([\d.]+) s\b|([\d.]+) s (?:later|after)\b)`)
)

// between is the minimum time between two exchanges in the recordings of objects.
const between = 3 * time.Millisecond

func seconds(text string) time.Duration {
	number, _ := strconv.ParseFloat(text, 64) // the pattern lets only numbers through
	return time.Duration(number * float64(time.Second))
}

func (r *replay) step(key string, index int, item transcriptItem) error {
	if before := beforeItem[key]; before != nil {
		before(r)
	}
	switch {
	case pollBegins.MatchString(item.Note):
		r.polls[pollBegins.FindStringSubmatch(item.Note)[1]] = r.controlPlane.ClockTime()
	case pollChanges.MatchString(item.Note):
		match := pollChanges.FindStringSubmatch(item.Note)
		r.advanceTo(r.polls[match[1]].Add(seconds(match[2])))
	case item.Request != nil || !r.ofObjects():
		if match := someTime.FindStringSubmatch(item.Note); match != nil {
			r.advance(seconds(match[1] + match[2]))
		}
	}
	if item.Request == nil && r.of.Version != "" {
		return nil // what another version stored is not known
	}
	if item.Request == nil {
		return r.observe(key, item)
	}
	item = r.of.answer(r.name, index, item)
	r.last = item
	if instant[key] {
		item.MS = 0
	}
	return r.exchange(item)
}

// unrecorded is the maximum time between two exchanges whose note does not exclude a pause, in
// steps of unrecordedStep.
const (
	unrecorded     = 3 * time.Second
	unrecordedStep = 5 * time.Millisecond
)

// exchange sends a recorded request and compares the response. The response to
// a query may come a little later, since the recordings have no times between
// exchanges. A request that is too early for controllers with the clock of the machine is repeated.
func (r *replay) exchange(item transcriptItem) error {
	address, err := url.Parse(item.Request.URL)
	if err != nil {
		return err
	}
	r.prepare(address.Path, item)
	reads := regexp.MustCompile(`(?i)query|list`).MatchString(address.Path)
	atOnce := r.ofObjects() && (strings.Contains(item.Note, "right after") || strings.Contains(item.Note, "first answer"))
	takes := between
	if !r.ofObjects() {
		takes = time.Duration(item.MS * float64(time.Millisecond))
	}
	var first error
	for waited := time.Duration(0); waited <= unrecorded; waited += unrecordedStep {
		got, err := r.send(item, address)
		r.advance(takes)
		if err != nil {
			return compareTransportError(item, err)
		}
		difference := r.compare(item, got)
		early := r.onMachine() && slices.ContainsFunc([]string{"the object has been modified", leftovers}, func(text string) bool {
			return strings.Contains(got.Body.String(), text) && !strings.Contains(item.message(), text)
		})
		if difference == nil || !reads && !early || atOnce || r.of.Version != "" && !isCompared(item.Request.URL) {
			return difference
		}
		if first == nil {
			first = difference
		}
		takes = unrecordedStep
	}
	return first
}

func (r *replay) send(item transcriptItem, address *url.URL) (*httptest.ResponseRecorder, error) {
	got := httptest.NewRecorder()
	request := httptest.NewRequest(item.Request.Method, address.Path, bytes.NewReader(r.requestBody(item)))
	for name, value := range item.Request.Headers {
		request.Header.Set(name, value)
	}
	if request.Header.Get("Content-Type") == "" {
		request.Header.Set("Content-Type", "application/json")
	}
	switch {
	case address.Port() == portInternal:
		r.internal.ServeHTTP(got, request)
	case r.secure():
		client, target := r.clientFor(item, address)
		sent, err := http.NewRequest(item.Request.Method, target, request.Body)
		if err != nil {
			return nil, err
		}
		sent.Header, sent.ContentLength = request.Header, request.ContentLength
		response, err := client.Do(sent)
		if err != nil {
			return nil, err
		}
		defer func() { _ = response.Body.Close() }()
		maps.Copy(got.Header(), response.Header)
		got.WriteHeader(response.StatusCode)
		_, err = io.Copy(got, response.Body)
		return got, err
	default:
		r.servers[address.Port()].Handler().ServeHTTP(got, request)
	}
	if strings.HasSuffix(address.Path, "certificate/generate") {
		r.lastCertificate = got.Body.Bytes()
	}
	return got, nil
}

// describedText is a long text that is only described in the recording, describedConfig a whole
// request with one.
var (
	describedText   = regexp.MustCompile(`"\((\d+) characters\)"`)
	describedConfig = regexp.MustCompile(`^\(([\d.]+) (kB|MB) serving_input_config\)$`)
)

// requestBody is the recorded body with the sandbox's ids.
func (r *replay) requestBody(item transcriptItem) []byte {
	recorded := item.Request.Body
	var text string
	if json.Unmarshal(recorded, &text) == nil {
		recorded = []byte(text)
	}
	if size := describedConfig.FindStringSubmatch(text); size != nil {
		number, _ := strconv.ParseFloat(size[1], 64)
		body, err := json.Marshal(kuscia.CreateServingRequest{
			ServingID: "large", Initiator: "alice", Parties: []kuscia.ServingParty{{DomainID: "alice", AppImage: imageV1}},
			ServingInputConfig: strings.Repeat("x", int(number*map[string]float64{"kB": 1e3, "MB": 1e6}[size[2]])),
		})
		must(r.t, err)
		return body
	}
	for from, to := range r.ids {
		recorded = bytes.ReplaceAll(recorded, []byte(from), []byte(to))
	}
	return describedText.ReplaceAllFunc(recorded, func(text []byte) []byte {
		size, _ := strconv.Atoi(string(describedText.FindSubmatch(text)[1]))
		return []byte(`"` + strings.Repeat("x", size) + `"`)
	})
}

// prepare does what was done outside of the API before the exchange: it deletes
// objects that must be missing for the recorded success.
func (r *replay) prepare(path string, item transcriptItem) {
	var named struct {
		ServingID string `json:"serving_id"`
		Name      string `json:"name"`
	}
	body := r.requestBody(item)
	_ = json.Unmarshal(body, &named) // bodies that are not JSON have no names
	if named.ServingID != "" {
		r.lastID = named.ServingID
	}
	if named.Name != "" {
		r.lastName = named.Name
	}
	image, missing := r.master.AppImage(named.Name)
	switch strings.TrimPrefix(path, server.APIPrefix) {
	case "serving/create":
		r.lastCreate = kuscia.CreateServingRequest{}
		_ = json.Unmarshal(body, &r.lastCreate) // bodies that are not JSON are refused
		if !strings.Contains(item.message(), "already exists") && r.master.ServingExists(named.ServingID) {
			must(r.t, r.master.RemoveServing(named.ServingID))
			r.advance(time.Second)
			r.waitUntilGone(map[string]string{objects.LabelName: named.ServingID})
		}
	case "serving/update":
		if kd, err := r.master.KusciaDeployment(named.ServingID); err == nil {
			r.generations[named.ServingID] = kd.Generation
		}
	case "appimage/create":
		if missing == nil && item.message() == "success" {
			must(r.t, r.master.RemoveAppImage(named.Name))
		}
	case "appimage/update":
		if missing == nil {
			r.before[named.Name] = image
		}
	}
}

func (r *replay) compare(item transcriptItem, got *httptest.ResponseRecorder) error {
	if item.HTTPStatus == nil || got.Code != *item.HTTPStatus {
		return fmt.Errorf("HTTP status %d, recorded %v", got.Code, item.HTTPStatus)
	}
	var contentType *string
	if values := got.Header().Values("Content-Type"); len(values) > 0 {
		contentType = &values[0]
	}
	if !reflect.DeepEqual(contentType, item.ContentType) {
		return fmt.Errorf("content type %v, recorded %v", got.Header(), item.ContentType)
	}
	body := asJSON(got.Body.Bytes())
	r.learnIDs(item.Response, body)
	for recorded, ours := range r.ids {
		body = bytes.ReplaceAll(body, []byte(ours), []byte(recorded))
	}
	have, err := normalise(body)
	if err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	have, want, err := item.compared(have)
	if err != nil {
		return err
	}
	if r.onMachine() {
		withoutStatus(have)
		withoutStatus(want)
	}
	if !reflect.DeepEqual(have, want) {
		haveText, _ := json.Marshal(have) // decoded JSON always marshals
		wantText, _ := json.Marshal(want)
		return fmt.Errorf("answered %s\nrecorded %s", haveText, wantText)
	}
	return nil
}

// withoutStatus removes the statuses of servings, which depend on the moment, from a response.
func withoutStatus(response any) {
	envelope, _ := response.(m)
	data, _ := envelope["data"].(m)
	servings, _ := data["servings"].([]any)
	for _, one := range append(servings, data) {
		serving, _ := one.(m)
		delete(serving, "status")
	}
}

// learnIDs records which id or page token of the sandbox corresponds to a recorded one.
func (r *replay) learnIDs(recorded, got []byte) {
	var want, have struct {
		Data map[string]json.RawMessage `json:"data"`
	}
	if json.Unmarshal(recorded, &want) != nil || json.Unmarshal(got, &have) != nil {
		return
	}
	for field := range want.Data {
		var theirs, ours string
		_ = json.Unmarshal(want.Data[field], &theirs) // absent in most responses
		_ = json.Unmarshal(have.Data[field], &ours)
		sameForm := len(want.Data) == 1 && madeUp.MatchString(theirs) && madeUp.ReplaceAllString(theirs, "") == madeUp.ReplaceAllString(ours, "")
		if sameForm || field == "next_page_token" && theirs != "" && ours != "" {
			r.ids[theirs] = ours
		}
	}
}
