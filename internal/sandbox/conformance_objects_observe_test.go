package sandbox

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/domain"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// objectCounts are the expected counts of one transcript of objects. They are
// in a file beside it (counts/), so that a new recording adds to no list.
type objectCounts struct {
	// Exchanges and Observations are the numbers of replayed items.
	Exchanges    int `json:"exchanges"`
	Observations int `json:"observations"`
	// LeftOut are the items that cannot be replayed.
	LeftOut []*leftOutItems `json:"left_out,omitempty"`
}

// leftOutItems are items that cannot be replayed, for one reason.
type leftOutItems struct {
	// Items is a regular expression over the index and the note of an item.
	Items string `json:"items"`
	// Count is the expected number of matches, so that the expression does not
	// exclude more items unnoticed.
	Count  int    `json:"count"`
	Reason string `json:"reason"`

	matches int
}

// readObjectCounts reads the expected counts of a transcript.
func readObjectCounts(t *testing.T, transcript string) objectCounts {
	t.Helper()
	file := filepath.Join(filepath.Dir(transcript), "counts", filepath.Base(transcript))
	text, err := os.ReadFile(file)
	must(t, err)
	var counts struct{ Sandbox *objectCounts }
	must(t, json.Unmarshal(text, &counts))
	if counts.Sandbox == nil {
		t.Fatalf("%s has no counts for the sandbox: add \"sandbox\": {\"exchanges\": 0, \"observations\": 0} with the numbers of this test", file)
	}
	return *counts.Sandbox
}

// leftOut reports whether an item is excluded. Of several expressions that
// match, the first one counts.
func (c objectCounts) leftOut(index int, note string) bool {
	for _, items := range c.LeftOut {
		if regexp.MustCompile(items.Items).MatchString(fmt.Sprintf("%d %s", index, note)) {
			items.matches++
			return true
		}
	}
	return false
}

// check compares the expected counts with those of the replay.
func (c objectCounts) check(t *testing.T, exchanges, observations int) {
	t.Helper()
	for _, items := range c.LeftOut {
		if items.matches != items.Count || items.Count == 0 || items.Reason == "" {
			t.Errorf("%d items match %q and are left out, want %d, because of: %s", items.matches, items.Items, items.Count, items.Reason)
		}
	}
	if exchanges != c.Exchanges || observations != c.Observations {
		t.Errorf("%d exchanges and %d observations were replayed, want %d and %d", exchanges, observations, c.Exchanges, c.Observations)
	}
}

// observeItem compares an observation that has no common form, by transcript
// and index. The tests of an object add theirs (addReplay).
var observeItem = map[string]func(r *objectReplay, item transcriptItem) error{}

// addReplay adds to beforeItem and observeItem what only one object needs.
func addReplay(before map[string]func(r *objectReplay), observe map[string]func(r *objectReplay, item transcriptItem) error) bool { //nolint:unparam // a result lets a declaration call it
	maps.Copy(beforeItem, before)
	maps.Copy(observeItem, observe)
	return true
}

// beforeItem has what was done outside of the API before an item, by transcript
// and index.
var beforeItem = map[string]func(r *objectReplay){
	// The tokens of the gateways were written manually, then their failure.
	"route-2-ready[1]": func(r *objectReplay) {
		r.servers[portMaster].Advance(time.Second)
		must(r.t, r.servers[portMaster].SetRouteStatus("rk-a", "rk-b", true, ""))
	},
	"route-2-ready[5]": func(r *objectReplay) {
		must(r.t, r.servers[portMaster].SetRouteStatus("rk-a", "rk-b", false, "DestinationUnreachable"))
	},
	// The earlier parallel updates left this name.
	"domaindata-1[125]": func(r *objectReplay) {
		defer r.controlPlane.Acquire()()
		data := server.TableOf[objects.DomainData](r.controlPlane).Get(nodeOfRecordings, "rk-full")
		data.Spec.Name = "p2-4"
		must(r.t, server.TableOf[objects.DomainData](r.controlPlane).Update(data))
	},
	// An earlier domain with this id left its data source.
	"domaindata-1[139]": func(r *objectReplay) {
		defer r.controlPlane.Acquire()()
		must(r.t, domain.Of(r.controlPlane).AddDefaultDataSource("rk-tmp"))
	},
	// The writes before the recorded delete reached the cache, this one did
	// not.
	"config-1[57]": func(r *objectReplay) { r.servers[portNode].node.StaleConfig = 1 },
	"config-1[59]": func(r *objectReplay) { r.servers[portNode].node.StaleConfig = -1 },
	"datasource-1[136]": func(r *objectReplay) {
		defer r.controlPlane.Acquire()()
		sources := server.TableOf[objects.DomainDataSource](r.controlPlane)
		for _, source := range sources.List(nodeOfRecordings) {
			must(r.t, sources.Delete(nodeOfRecordings, source.Name))
		}
	},
}

// expires replaces a recorded time by one that is equally far in the future.
func (r *objectReplay) expires(recorded string, in time.Duration) {
	at := r.controlPlane.ClockTime().Add(in).UnixNano()
	number, err := strconv.ParseInt(recorded, 10, 64)
	must(r.t, err)
	r.ids[recorded] = fmt.Sprint(at)
	r.ids[fmt.Sprint(number/domain.NanosPerSecond*domain.NanosPerSecond)] = fmt.Sprint(at / domain.NanosPerSecond * domain.NanosPerSecond)
}

func (r *objectReplay) observe(item transcriptItem) error {
	switch {
	case pollEnds.MatchString(item.Note):
		return r.observePoll(item)
	case strings.HasPrefix(item.Note, "8 parallel creates"):
		return r.observeRace(item)
	case strings.HasPrefix(item.Note, "decoded answer of: "):
		return r.observeCertificate(item)
	case strings.HasPrefix(item.Note, "generation"), strings.HasPrefix(item.Note, "object"):
		return r.observeGeneration(item)
	}
	return fmt.Errorf("nothing checks this observation")
}

// observePoll checks that a condition that was not met in the recording is not
// met here either: the last response is that of the last exchange.
func (r *objectReplay) observePoll(item transcriptItem) error {
	match := pollEnds.FindStringSubmatch(item.Note)
	if match[2] == "met after" {
		return nil // the previous exchange has the response
	}
	r.advanceTo(r.polls[match[1]].Add(seconds(match[3])))
	address, err := url.Parse(r.last.Request.URL)
	if err != nil {
		return err
	}
	return r.compare(r.last, r.send(r.last, address))
}

// observeRace sends eight parallel creates of one object: the same number
// succeeds as in the recording, and the errors are among the recorded ones.
func (r *objectReplay) observeRace(item transcriptItem) error {
	var recorded struct {
		Request struct {
			URL  string          `json:"url"`
			Body json.RawMessage `json:"body"`
		} `json:"request"`
		Answers map[string]int `json:"answers"`
	}
	if err := json.Unmarshal(item.Observed, &recorded); err != nil {
		return err
	}
	address, err := url.Parse(recorded.Request.URL)
	if err != nil {
		return err
	}
	// Each of the recorded requests had another name; the one with f4
	// succeeded.
	body := bytes.ReplaceAll(recorded.Request.Body, []byte(`"f0"`), []byte(`"f4"`))
	s := r.servers[address.Port()]
	s.node.WriteWindow = 100 * time.Millisecond
	defer func() { s.node.WriteWindow = time.Microsecond }()
	responses := inParallel(8, func(int) apiResponse {
		got := httptest.NewRecorder()
		request := httptest.NewRequest("POST", address.Path, bytes.NewReader(body))
		request.Header.Set("Content-Type", "application/json")
		s.Handler().ServeHTTP(got, request)
		var answered apiResponse
		_ = json.Unmarshal(got.Body.Bytes(), &answered) // a body that is not JSON has no code and no text
		return answered
	})
	if responses["0 success"] != recorded.Answers["0 success"] {
		return fmt.Errorf("answers %v, recorded %v", responses, recorded.Answers)
	}
	for text := range responses {
		if recorded.Answers[text] == 0 {
			return fmt.Errorf("answers %v, recorded %v", responses, recorded.Answers)
		}
	}
	r.servers[portMaster].Advance(time.Second)
	return nil
}

// observeCertificate compares the certificate of the last exchange with the
// recorded text of a real one: key format, names, validity.
func (r *objectReplay) observeCertificate(item transcriptItem) error {
	var want struct {
		KeyLine string `json:"key first line"`
		Leaf    string `json:"leaf"`
	}
	var have struct {
		Key       string   `json:"key"`
		CertChain []string `json:"cert_chain"`
	}
	if err := json.Unmarshal(item.Observed, &want); err != nil {
		return err
	}
	if err := json.Unmarshal(r.lastCertificate, &have); err != nil {
		return err
	}
	key, err := base64.StdEncoding.DecodeString(have.Key)
	if err != nil {
		return err
	}
	if line, _, _ := strings.Cut(string(key), "\n"); line != want.KeyLine {
		return fmt.Errorf("key begins %q, recorded %q", line, want.KeyLine)
	}
	var chain []*x509.Certificate
	for _, encoded := range have.CertChain {
		text, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil {
			return err
		}
		block, _ := pem.Decode(text)
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return err
		}
		chain = append(chain, cert)
	}
	if err := chain[0].CheckSignatureFrom(chain[1]); err != nil {
		return err
	}
	fields := map[string]string{}
	for line := range strings.Lines(want.Leaf) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		fields[name] = value
	}
	if issuer := "CN = " + chain[0].Issuer.CommonName; issuer != fields["issuer"] {
		return fmt.Errorf("issuer %s, recorded %s", issuer, fields["issuer"])
	}
	if subject := opensslName(chain[0]); subject != fields["subject"] {
		return fmt.Errorf("subject %s, recorded %s", subject, fields["subject"])
	}
	const form = "Jan _2 15:04:05 2006 MST"
	from, fromErr := time.Parse(form, fields["notBefore"])
	to, toErr := time.Parse(form, fields["notAfter"])
	if fromErr != nil || toErr != nil {
		return fmt.Errorf("recorded times: %w, %w", fromErr, toErr)
	}
	if life := chain[0].NotAfter.Sub(chain[0].NotBefore); (life - to.Sub(from)).Abs() > 2*time.Second {
		return fmt.Errorf("good for %s, recorded %s", life, to.Sub(from))
	}
	return nil
}

func opensslName(cert *x509.Certificate) string {
	var parts []string
	add := func(name string, values []string) {
		for _, value := range values {
			parts = append(parts, name+" = "+value)
		}
	}
	add("C", cert.Subject.Country)
	add("ST", cert.Subject.Province)
	add("L", cert.Subject.Locality)
	add("street", cert.Subject.StreetAddress)
	add("O", cert.Subject.Organization)
	add("OU", cert.Subject.OrganizationalUnit)
	add("CN", []string{cert.Subject.CommonName})
	return strings.Join(parts, ", ")
}

// observeGeneration compares the generation of the object of the last
// exchanges.
func (r *objectReplay) observeGeneration(item transcriptItem) error {
	var text string
	if json.Unmarshal(item.Observed, &text) != nil {
		text = string(item.Observed)
	}
	number := regexp.MustCompile(`^\d+`).FindString(text)
	defer r.controlPlane.Acquire()()
	var have int64
	switch r.name {
	case "domaindata-1":
		have = server.TableOf[objects.DomainData](r.controlPlane).Get(nodeOfRecordings, "rk-full").Generation
	case "datasource-1":
		have = server.TableOf[objects.DomainDataSource](r.controlPlane).Get(nodeOfRecordings, "rk-mysql").Generation
	default:
		return fmt.Errorf("no generation is known here")
	}
	if fmt.Sprint(have) != number {
		return fmt.Errorf("generation %d, recorded %s", have, number)
	}
	return nil
}
