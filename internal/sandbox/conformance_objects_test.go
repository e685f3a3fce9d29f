package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/apiserver"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/domain"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// The servers in the recordings of objects, by port. They shared one store, and
// the lite node could not reach a master.
const (
	portNode = "58082" // autonomy node of rk-auto
	portLite = "59082" // lite node of rk-auto
)

const nodeOfRecordings = "rk-auto"

// TestObjectConformance replays every recorded exchange about domains, routes,
// domain data, data sources, grants, configuration and certificates, and checks
// other recorded observations that the sandbox supports. Items that cannot be
// replayed are listed.
func TestObjectConformance(t *testing.T) { replayObjects(t, nil, nil) }

// TestObjectConformanceOnAPIServer is TestObjectConformance with the objects in an API server.
// Their controllers are the same, on the same clock, so nothing else is left out.
func TestObjectConformanceOnAPIServer(t *testing.T) {
	var short []string
	if testing.Short() {
		short = []string{"route-2-ready", "domaindata-1", "config-1"}
	}
	replayObjects(t, apiServer(t).Server, short)
}

// replayObjects replays the recordings of objects, or those with these names.
func replayObjects(t *testing.T, on *apiserver.Server, names []string) {
	files, err := filepath.Glob("../api/kuscia/testdata/transcripts/rest/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	exchanges, observed, left := 0, 0, 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if names != nil && !slices.Contains(names, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			recorded := readTranscript(t, file)
			counts, replayed := readObjectCounts(t, file), map[bool]int{}
			replay := newObjectReplay(t, name, on)
			for i, item := range recorded.Items {
				if counts.leftOut(i, item.Note) {
					left++
					continue
				}
				key := fmt.Sprintf("%s[%d]", name, i)
				if err := replay.step(key, item); err != nil {
					t.Errorf("%s %s: %v", key, item.Note, err)
				}
				replayed[item.Request != nil]++
			}
			counts.check(t, replayed[true], replayed[false])
			exchanges += replayed[true]
			observed += replayed[false]
		})
	}
	fmt.Printf("conformance of objects: %d exchanges and %d observations replayed, %d listed\n", exchanges, observed, left)
}

// objectReplay replays one transcript on a frozen clock.
type objectReplay struct {
	t            *testing.T
	name         string
	controlPlane *server.ControlPlane
	servers      map[string]*Sandbox
	internal     http.Handler
	// ids maps recorded ids to those that the sandbox has generated.
	ids map[string]string
	// polls are the start times of series of polls, by name.
	polls map[string]time.Time
	// last is the last exchange; lastCertificate is the last response with a
	// certificate.
	last            transcriptItem
	lastCertificate []byte
}

// newObjectReplay returns a replay with the objects that existed before the recording.
func newObjectReplay(t *testing.T, name string, on *apiserver.Server) *objectReplay {
	master := startSandbox(t, Options{Timing: cluster.RealTiming(), FrozenClock: true, Seed: 1, StaleConfig: -1, WriteWindow: time.Microsecond})
	r := &objectReplay{
		t: t, name: name, controlPlane: master.node.ControlPlane, servers: map[string]*Sandbox{portMaster: master},
		internal: master.InternalHandler(), ids: map[string]string{}, polls: map[string]time.Time{},
	}
	for port, change := range map[string]func(*Options){
		portAutonomy: func(o *Options) { o.Autonomy = "alice" },
		portNode:     func(o *Options) { o.Autonomy = nodeOfRecordings },
		portLite:     func(o *Options) { o.Lite = nodeOfRecordings },
	} {
		options := master.options
		options.CertsDir = ""
		change(&options)
		s, err := startOn(t.Context(), options, r.controlPlane)
		must(t, err)
		t.Cleanup(func() { must(t, s.Close()) })
		r.servers[port] = s
	}
	if on != nil {
		api := on.Objects()
		must(t, master.UseAPI(api))
		clean := api.Record()
		t.Cleanup(func() { must(t, clean()) })
	}
	for _, request := range recordedDomains(t)[name] {
		must(t, ask(master, "domain/create", &request).err())
	}
	if name == "extra-1-races-and-links" || name == "grant-1" || name == "domaindata-1" || name == "datasource-1" || name == "config-1" {
		master.Advance(time.Second)
	}
	return r
}

// recordedDomains existed before the recordings, by transcript. Their
// certificate is the one at the start of the recording of routes.
func recordedDomains(t *testing.T) map[string][]domain.CreateDomainRequest {
	text, err := os.ReadFile("../api/kuscia/testdata/transcripts/rest/route-1.json")
	must(t, err)
	var routes transcript
	must(t, json.Unmarshal(text, &routes))
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

var (
	pollBegins  = regexp.MustCompile(`^(.*): first answer$`)
	pollChanges = regexp.MustCompile(`^(.*): changed after ([\d.]+) s$`)
	pollEnds    = regexp.MustCompile(`^(.*): condition (met after|NOT met in) ([\d.]+) s`)
	someTime    = regexp.MustCompile(`\b(?:after ([\d.]+) s\b|([\d.]+) s (?:later|after)\b)`)
)

// between is the minimum time between two exchanges in the recordings.
const between = 3 * time.Millisecond

func seconds(text string) time.Duration {
	number, _ := strconv.ParseFloat(text, 64) // the pattern lets only numbers through
	return time.Duration(number * float64(time.Second))
}

func (r *objectReplay) advanceTo(at time.Time) {
	if wait := at.Sub(r.controlPlane.ClockTime()); wait > 0 {
		r.servers[portMaster].Advance(wait)
	}
}

func (r *objectReplay) step(key string, item transcriptItem) error {
	if before := beforeItem[key]; before != nil {
		before(r)
	}
	switch {
	case pollBegins.MatchString(item.Note):
		r.polls[pollBegins.FindStringSubmatch(item.Note)[1]] = r.controlPlane.ClockTime()
	case pollChanges.MatchString(item.Note):
		match := pollChanges.FindStringSubmatch(item.Note)
		r.advanceTo(r.polls[match[1]].Add(seconds(match[2])))
	case item.Request != nil:
		if match := someTime.FindStringSubmatch(item.Note); match != nil {
			r.servers[portMaster].Advance(seconds(match[1] + match[2]))
		}
	}
	if item.Request == nil {
		if observe := observeItem[key]; observe != nil {
			return observe(r, item)
		}
		return r.observe(item)
	}
	r.last = item
	err := r.exchange(item)
	r.servers[portMaster].Advance(between)
	return err
}

// unrecorded is the maximum time between two exchanges whose note does not
// exclude a pause.
const unrecorded = 3 * time.Second

// exchange sends a recorded request and compares the response. The response to
// a query may come a little later, since the recordings have no times between
// exchanges.
func (r *objectReplay) exchange(item transcriptItem) error {
	address, err := url.Parse(item.Request.URL)
	if err != nil {
		return err
	}
	reads := regexp.MustCompile(`(?i)query|list`).MatchString(address.Path)
	atOnce := strings.Contains(item.Note, "right after") || strings.Contains(item.Note, "first answer")
	var difference error
	for waited := time.Duration(0); waited <= unrecorded; waited += 10 * time.Millisecond {
		difference = r.compare(item, r.send(item, address))
		if difference == nil || !reads || atOnce {
			return difference
		}
		r.servers[portMaster].Advance(10 * time.Millisecond)
	}
	return difference
}

func (r *objectReplay) send(item transcriptItem, address *url.URL) *httptest.ResponseRecorder {
	request := httptest.NewRequest(item.Request.Method, address.Path, bytes.NewReader(r.requestBody(item.Request.Body)))
	for name, value := range item.Request.Headers {
		request.Header.Set(name, value)
	}
	request.Header.Set("Content-Type", "application/json")
	got := httptest.NewRecorder()
	handler := r.internal
	if address.Port() != portInternal {
		handler = r.servers[address.Port()].Handler()
	}
	handler.ServeHTTP(got, request)
	if strings.HasSuffix(address.Path, "certificate/generate") {
		r.lastCertificate = got.Body.Bytes()
	}
	return got
}

var describedText = regexp.MustCompile(`"\((\d+) characters\)"`)

// requestBody is the recorded body with the sandbox's ids, and with long texts
// that are only described in the recording.
func (r *objectReplay) requestBody(recorded []byte) []byte {
	for from, to := range r.ids {
		recorded = bytes.ReplaceAll(recorded, []byte(from), []byte(to))
	}
	return describedText.ReplaceAllFunc(recorded, func(text []byte) []byte {
		size, _ := strconv.Atoi(string(describedText.FindSubmatch(text)[1]))
		return []byte(`"` + strings.Repeat("x", size) + `"`)
	})
}

func (r *objectReplay) compare(item transcriptItem, got *httptest.ResponseRecorder) error {
	if item.HTTPStatus == nil || got.Code != *item.HTTPStatus {
		return fmt.Errorf("HTTP status %d, recorded %v", got.Code, item.HTTPStatus)
	}
	var contentType *string
	if values := got.Header().Values("Content-Type"); len(values) > 0 {
		contentType = &values[0]
	}
	if !reflect.DeepEqual(contentType, item.ContentType) {
		return fmt.Errorf("content type %s, recorded %s", show(contentType), show(item.ContentType))
	}
	body := asJSON(got.Body.Bytes())
	r.learnIDs(item.Response, body)
	for recorded, ours := range r.ids {
		body = bytes.ReplaceAll(body, []byte(ours), []byte(recorded))
	}
	want, wantErr := normalise(item.Response)
	have, haveErr := normalise(body)
	if wantErr != nil || haveErr != nil {
		return fmt.Errorf("answer: %w, %w", haveErr, wantErr)
	}
	have, want = normaliseObject("", have), normaliseObject("", want)
	if !reflect.DeepEqual(have, want) {
		return fmt.Errorf("%s", differenceOf(have, want))
	}
	return nil
}

var madeUp = regexp.MustCompile(`[0-9a-f]{32}`)

// learnIDs records which id of the sandbox corresponds to a recorded one.
func (r *objectReplay) learnIDs(recorded, got []byte) {
	var want, have struct {
		Data map[string]json.RawMessage `json:"data"`
	}
	if json.Unmarshal(recorded, &want) != nil || json.Unmarshal(got, &have) != nil || len(want.Data) != 1 {
		return
	}
	for field := range want.Data {
		var theirs, ours string
		_ = json.Unmarshal(want.Data[field], &theirs) // absent in most responses
		_ = json.Unmarshal(have.Data[field], &ours)
		if madeUp.MatchString(theirs) && madeUp.ReplaceAllString(theirs, "") == madeUp.ReplaceAllString(ours, "") {
			r.ids[theirs] = ours
		}
	}
}

var (
	lastUpdate = regexp.MustCompile(`LastUpdateAt=\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+0000 UTC`)
	pemCert    = regexp.MustCompile(`^LS0tLS1CRUdJTiBD`)
	pemKey     = regexp.MustCompile(`^LS0tLS1CRUdJTi`)
)

// normaliseObject removes what differs each time: times, generated ids in
// texts, keys and certificates of the cluster, random orders.
func normaliseObject(key string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		if id := v["domain_id"]; (id == "master" || id == server.MasterDomain) && pemCert.MatchString(fmt.Sprint(v["cert"])) {
			v["cert"] = "CERTIFICATE OF THE CLUSTER"
		}
		if token, ok := v["token_config"].(map[string]any); ok && v["destination"] == server.MasterDomain && pemKey.MatchString(fmt.Sprint(token["destination_public_key"])) {
			token["destination_public_key"] = "KEY OF THE CLUSTER"
		}
		if v["key"] == "domain-public-key" && pemKey.MatchString(fmt.Sprint(v["value"])) {
			v["value"] = "KEY OF THE NODE"
		}
		if chain, ok := v["cert_chain"].([]any); ok && len(chain) > 0 && v["key"] != "" {
			v["key"], v["cert_chain"] = "NEW KEY", len(chain)
		}
		for name, field := range v {
			v[name] = normaliseObject(name, field)
		}
		return v
	case []any:
		for i := range v {
			v[i] = normaliseObject(key, v[i])
		}
		isEntry := func(item any) bool { m, ok := item.(map[string]any); return ok && len(m) == 2 && m["key"] != nil }
		if slices.ContainsFunc(v, isEntry) || key == "domaindata_list" && madeUp.MatchString(fmt.Sprint(v)) || key == "domaindatagrant_list" {
			slices.SortFunc(v, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		}
		return v
	case string:
		if key == "message" {
			v = madeUp.ReplaceAllString(v, "MADE-UP")
		}
		return lastUpdate.ReplaceAllString(v, "LastUpdateAt=TIME")
	default:
		return v
	}
}
