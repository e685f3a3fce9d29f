package sandbox

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/domain"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
)

// wantObjectExchanges is the number of replayed exchanges.
const wantObjectExchanges = 918

// leftOutItems are items that cannot be replayed: a pattern for transcript,
// index and note, and the reason.
var leftOutItems = []struct {
	pattern, reason string
	// count is the expected number of matches, so that a pattern does not
	// exclude more items unnoticed.
	count int
}{
	{`^job-1\[`, "jobs run once: the sandbox does not play them, since nothing of the provider stands for them", 36},
	{`^misc-1-health-certificate-log\[2[3-6]\] log/`, "logs of tasks and nodes: the sandbox runs neither", 4},
	{`^misc-1-health-certificate-log\[[67]\] GET /`, "the version and start of a build without a version", 2},
	{`route created by the controller|k8s namespace|namespace(s| labels)? |routes after delete|domain routes|dr status|stored (spec|labels|object)|labels, annotations, owner`,
		"a print of Kubernetes objects; the sandbox has only what the API shows of them, which the answers compare", 18},
	{`^(domain-2|grant-1)\[\d+\] (generation|object)`, "the stored Kubernetes form and its generation; what they lead to is compared in the answers", 8},
	{`stored cert for|length of the password|value read back equal|destination_public_key changed`, "derived from an answer that is compared itself, or from one that was not recorded", 15},
	{`parallel (updates|creates of different)|read after write|create directly after update|update, then delete at once|update (right|directly)? ?after create|directly after domain/create|of which not applied|seconds from`,
		"numbers that come out by chance; TestObjectWriters and TestStaleConfig show the same answers", 17},
}

// leftOut returns why an item is excluded, "" if it is replayed.
func leftOut(key string) string {
	for _, rule := range leftOutItems {
		if regexp.MustCompile(rule.pattern).MatchString(key) {
			return rule.reason
		}
	}
	return ""
}

// beforeItem has what was done outside of the API before an item.
var beforeItem = map[string]func(r *objectReplay){
	"domain-2[141]": func(r *objectReplay) { must(r.t, r.servers[portMaster].RegisterNode("rk-d1", "rk-node", true)) },
	"domain-2[144]": func(r *objectReplay) { must(r.t, r.servers[portMaster].RegisterNode("rk-d1", "rk-node", false)) },
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
		data := server.TableOf[domain.DataSpec](r.controlPlane).Get(nodeOfRecordings, "rk-full")
		spec := data.Spec
		spec.Name = "p2-4"
		data.Set(r.controlPlane.Engine, spec)
	},
	// The copies were already up to date.
	"grant-1[103]":    func(r *objectReplay) { r.servers[portMaster].Advance(time.Second) },
	"grant-2-slow[7]": func(r *objectReplay) { r.servers[portMaster].Advance(time.Second) },
	"grant-1[117]":    func(r *objectReplay) { r.expires("1795223686151602688", 4*time.Second) },
	"grant-2-slow[2]": func(r *objectReplay) { r.expires("1795223764398366464", 5*time.Second) },
	// An earlier domain with this id left its data source.
	"domaindata-1[139]": func(r *objectReplay) {
		defer r.controlPlane.Acquire()()
		domain.Of(r.controlPlane).AddDefaultDataSource("rk-tmp")
	},
	// The writes before the recorded delete reached the cache, this one did
	// not.
	"config-1[57]": func(r *objectReplay) { r.servers[portNode].node.StaleConfig = 1 },
	"config-1[59]": func(r *objectReplay) { r.servers[portNode].node.StaleConfig = -1 },
	"datasource-1[136]": func(r *objectReplay) {
		sources := server.TableOf[domain.SourceSpec](r.controlPlane)
		for _, record := range sources.In(nodeOfRecordings) {
			sources.Remove(r.controlPlane.Engine, record)
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
	case strings.HasPrefix(item.Note, "changes of phase/message"):
		return r.observeResync(item)
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

// observeResync checks that phases stay the same until all of them are
// corrected at the same moment.
func (r *objectReplay) observeResync(item transcriptItem) error {
	var recorded [][3]any
	if err := json.Unmarshal(item.Observed, &recorded); err != nil {
		return err
	}
	keys := map[string]cluster.Key{
		"A": {Namespace: nodeOfRecordings, Name: "rk-lga"}, "B": {Namespace: nodeOfRecordings, Name: "rk-lgb"}, "C copy": {Namespace: "rk-b", Name: "rk-lgc"},
		"D": {Namespace: nodeOfRecordings, Name: "rk-lgd"}, "E": {Namespace: nodeOfRecordings, Name: "rk-lge"},
	}
	early, late := map[string]string{}, map[string]string{}
	for _, change := range recorded {
		name := fmt.Sprint(change[1])
		if at, ok := change[0].(float64); ok && at < 1 {
			early[name] = fmt.Sprint(change[2])
			late[name] = fmt.Sprint(change[2])
		} else {
			late[name] = fmt.Sprint(change[2])
		}
	}
	phases := func() map[string]string {
		defer r.controlPlane.Acquire()()
		found := map[string]string{}
		for name, key := range keys {
			found[name] = "11705"
			if grant := server.TableOf[domain.GrantSpec](r.controlPlane).Get(key.Namespace, key.Name); grant != nil {
				found[name] = grant.Spec.Phase + "/" + grant.Spec.Message
			}
		}
		return found
	}
	r.servers[portMaster].Advance(10 * time.Second)
	changed := 0
	before := phases()
	if fmt.Sprint(before) != fmt.Sprint(early) {
		return fmt.Errorf("phases %v, recorded %v", before, early)
	}
	for range 610 {
		r.servers[portMaster].Advance(time.Second)
		if now := phases(); fmt.Sprint(now) != fmt.Sprint(before) {
			changed++
			before = now
		}
	}
	if changed != 1 || fmt.Sprint(before) != fmt.Sprint(late) {
		return fmt.Errorf("%d changes to %v, recorded one to %v", changed, before, late)
	}
	return nil
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
		have = server.TableOf[domain.DataSpec](r.controlPlane).Get(nodeOfRecordings, "rk-full").Generation
	case "datasource-1":
		have = server.TableOf[domain.SourceSpec](r.controlPlane).Get(nodeOfRecordings, "rk-mysql").Generation
	default:
		return fmt.Errorf("no generation is known here")
	}
	if fmt.Sprint(have) != number {
		return fmt.Errorf("generation %d, recorded %s", have, number)
	}
	return nil
}
