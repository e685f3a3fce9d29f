package sandbox

import (
	"bytes"
	"cmp"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"k8s.io/client-go/util/jsonpath"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/cluster"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/kuscia/server"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/sandbox/objects"
)

// observeItem compares an observation that has no common form, by transcript
// and index: mostly custom resources as kubectl has printed them.
var observeItem = map[string]func(r *replay, item transcriptItem) error{
	"domain-2[5]":   listedAs[objects.ClusterDomainRoute](routeName),
	"domain-2[161]": listedAs[objects.ClusterDomainRoute](routeName),
	"domain-2[6]":   printedAs[objects.Namespace]("", "rk-d1", "{.metadata.labels}"),
	"domain-2[79]":  (*replay).observeNoNamespace,
	"domain-2[110]": printedAs[objects.Domain]("", "rk-d1", generationAndSpec),
	"domain-2[113]": printedAs[objects.Domain]("", "rk-d1", generationAndSpec),
	"domain-2[115]": printedAs[objects.Domain]("", "rk-d1", generationAndSpec),
	"domain-2[125]": printedAs[objects.Domain]("", "rk-d1", generationAndSpec),
	"domain-2[128]": printedAs[objects.Domain]("", "rk-d1", generationAndSpec),
	"domain-2[156]": (*replay).observeNamespaces,

	"extra-1-races-and-links[14]": printedAs[objects.Namespace]("", "rk-race", "{.metadata.labels}"),
	"extra-1-races-and-links[17]": printedAs[objects.Namespace]("", "rk-race", "{.metadata.labels}"),

	"datasource-1[10]": printedAs[objects.DomainDataSource](nodeOfRecordings, "rk-lf", "{.spec.uri} {.spec.name} {.spec.type} {.spec.infoKey}"),
	"datasource-1[65]": printedAs[objects.DomainDataSource](nodeOfRecordings, "rk-mysql", sourceParts),
	"datasource-1[67]": printedAs[objects.DomainDataSource](nodeOfRecordings, "rk-mysql", sourceParts),
	"datasource-1[77]": printedAs[objects.DomainDataSource](nodeOfRecordings, "rk-mysql", sourceParts),
	"datasource-1[79]": printedAs[objects.DomainDataSource](nodeOfRecordings, "rk-mysql", sourceParts),
	"datasource-1[84]": printedAs[objects.DomainDataSource](nodeOfRecordings, "rk-mysql", sourceParts),
	"domaindata-1[16]": printedAs[objects.DomainData](nodeOfRecordings, "rk-full", "{.metadata.labels} {.metadata.annotations} {.spec.fileFormat}"),
	"domaindata-1[56]": printedAs[objects.DomainData](nodeOfRecordings, "rk-full", "{.metadata.generation}"),
	"domaindata-1[58]": printedAs[objects.DomainData](nodeOfRecordings, "rk-full", "{.metadata.generation}"),
	"grant-1[11]": printedAs[objects.DomainDataGrant](nodeOfRecordings, "domaindatagrant-7b8e8798618e4dad18121013e4ddb156",
		"{.metadata.labels} {.metadata.annotations} {.metadata.ownerReferences}"),
	"grant-1[19]":      printedAs[objects.DomainDataGrant](nodeOfRecordings, "rk-g1", "{.spec}"),
	"grant-1[85]":      printedAs[objects.DomainDataGrant](nodeOfRecordings, "rk-g1", grantParts),
	"grant-1[88]":      printedAs[objects.DomainDataGrant](nodeOfRecordings, "rk-g1", grantParts),
	"grant-1[90]":      printedAs[objects.DomainDataGrant](nodeOfRecordings, "rk-g1", grantParts),
	"grant-2-slow[15]": (*replay).observeResync,

	"route-1[15]": printedAs[objects.ClusterDomainRoute]("", "rk-a-rk-b", "{.spec} {.status}"),
	"route-1[212]": listedAs[objects.DomainRoute](
		"{.metadata.namespace} {.metadata.name} {.spec.source} {.spec.destination} {.spec.endpoint.host} {.spec.authenticationType}"),
	"route-1[213]":      printedAs[objects.DomainRoute]("rk-a", "rk-a-rk-b", "{.status}"),
	"route-1[214]":      printedAs[objects.DomainRoute]("rk-b", "rk-a-rk-b", "{.status}"),
	"route-2-ready[9]":  (*replay).observeNoCopies,
	"route-2-ready[10]": (*replay).observeNoCopies,
}

// Templates of kubectl with which objects were printed in the recordings.
const (
	routeName         = "clusterdomainroute.kuscia.secretflow/{.metadata.name}"
	generationAndSpec = "{.metadata.generation}/{.spec}"
	sourceParts       = "{.metadata.generation} uri={.spec.uri} type={.spec.type} infoKey={.spec.infoKey} name={.spec.name}"
	grantParts        = "{.metadata.generation} {.spec} owners={.metadata.ownerReferences}"
)

// printed is an object as kubectl prints it with a template.
func printed(object any, template string) (string, error) {
	var tree any
	text, err := json.Marshal(object)
	if err = errors.Join(err, json.Unmarshal(text, &tree)); err != nil {
		return "", err
	}
	path, out := jsonpath.New("").AllowMissingKeys(true), &strings.Builder{}
	err = errors.Join(path.Parse(template), path.Execute(out, tree))
	return changing.ReplaceAllString(out.String(), ""), err
}

// changing is what differs each time, and the empty status of tokens and routes, which is not
// stored here or there.
var changing = regexp.MustCompile(`"uid":"[^"]*"|"last\w+Time":"[^"]*"|,"tokenStatus":\{\}|^\{"isDestinationAuthorized":false,"isDestinationUnreachable":false\}$`)

// printedAs compares an object with the recorded print of it.
func printedAs[T any](namespace, name, template string) func(*replay, transcriptItem) error {
	return func(r *replay, item transcriptItem) error {
		want, name := changing.ReplaceAllString(observed[string](r, item), ""), cmp.Or(r.ids[name], name)
		return r.eventually(func() error {
			defer r.controlPlane.Acquire()()
			object := server.TableOf[T](r.controlPlane).Get(namespace, name)
			if object == nil {
				return fmt.Errorf("no %s %s/%s", objects.KindOf[T]().Name, namespace, name)
			}
			return samePrint(object, template, want)
		})
	}
}

func samePrint(object any, template, recorded string) error {
	have, err := printed(object, template)
	if err != nil {
		return err
	}
	return same(have, recorded)
}

// deployedAs compares the Deployment of alice for the serving of the last request with the
// recorded print of it.
func deployedAs(template string) func(*replay, transcriptItem) error {
	return func(r *replay, item transcriptItem) error {
		d, err := r.deployment()
		if err != nil {
			return err
		}
		return samePrint(d, template, observed[string](r, item))
	}
}

// listedAs compares all objects of a kind with the recorded lines.
func listedAs[T any](template string) func(*replay, transcriptItem) error {
	return func(r *replay, item transcriptItem) error {
		var list struct{ CDR string }
		if json.Unmarshal(item.Observed, &list) != nil {
			list.CDR = observed[string](r, item)
		}
		return r.sameLines(strings.Split(strings.TrimSpace(list.CDR), "\n"), func() (lines []string) {
			for _, one := range server.TableOf[T](r.controlPlane).List("") {
				line, err := printed(one, template)
				must(r.t, err)
				lines = append(lines, line)
			}
			return lines
		})
	}
}

// sameLines compares lines in any order, and without their spaces.
func (r *replay) sameLines(recorded []string, have func() []string) error {
	sorted := func(lines []string) []string {
		lines = slices.Clone(lines)
		for i, line := range lines {
			lines[i] = strings.Join(strings.Fields(line), " ")
		}
		slices.Sort(lines)
		return lines
	}
	return r.eventually(func() error {
		defer r.controlPlane.Acquire()()
		return same(sorted(have()), sorted(recorded))
	})
}

// observeNoNamespace: the name of a namespace has no dot.
func (r *replay) observeNoNamespace(item transcriptItem) error {
	name := regexp.MustCompile(`namespaces \\"(\S+)\\" not found`).FindSubmatch(item.Observed)
	r.advance(2 * time.Second)
	defer r.controlPlane.Acquire()()
	if name == nil || server.TableOf[objects.Namespace](r.controlPlane).Get("", string(name[1])) != nil {
		return fmt.Errorf("there is a namespace %s", name)
	}
	return nil
}

// observeNamespaces compares the namespaces of the domains of this recording with their labels.
func (r *replay) observeNamespaces(item transcriptItem) error {
	var names, recorded []string
	for line := range strings.Lines(observed[string](r, item)) {
		if name := strings.Fields(line)[0]; strings.Contains(line, objects.LabelDomain) && name != "dave" && name != "erin" {
			names, recorded = append(names, name), append(recorded, line)
		}
	}
	return r.sameLines(recorded, func() (lines []string) {
		for _, name := range names {
			if n := server.TableOf[objects.Namespace](r.controlPlane).Get("", name); n != nil {
				lines = append(lines, fmt.Sprint(n.Name, " ", n.Labels, " Active"))
			}
		}
		return lines
	})
}

// observeNoCopies: those of a deleted route are gone at once.
func (r *replay) observeNoCopies(transcriptItem) error {
	defer r.controlPlane.Acquire()()
	for _, one := range server.TableOf[objects.DomainRoute](r.controlPlane).List("") {
		if one.Name == "rk-a-rk-b" {
			return fmt.Errorf("the copy in %s is left", one.Namespace)
		}
	}
	return nil
}

// observeResync checks that phases stay the same until all of them are
// corrected at the same moment.
func (r *replay) observeResync(item transcriptItem) error {
	keys := map[string]cluster.Key{
		"A": {Namespace: nodeOfRecordings, Name: "rk-lga"}, "B": {Namespace: nodeOfRecordings, Name: "rk-lgb"}, "C copy": {Namespace: "rk-b", Name: "rk-lgc"},
		"D": {Namespace: nodeOfRecordings, Name: "rk-lgd"}, "E": {Namespace: nodeOfRecordings, Name: "rk-lge"},
	}
	early, late := map[string]string{}, map[string]string{}
	for _, change := range observed[[][3]any](r, item) {
		if name := fmt.Sprint(change[1]); change[0].(float64) < 1 {
			early[name], late[name] = fmt.Sprint(change[2]), fmt.Sprint(change[2])
		} else {
			late[name] = fmt.Sprint(change[2])
		}
	}
	phases := func() map[string]string {
		defer r.controlPlane.Acquire()()
		found := map[string]string{}
		for name, key := range keys {
			found[name] = "11705"
			if grant := server.TableOf[objects.DomainDataGrant](r.controlPlane).Get(key.Namespace, key.Name); grant != nil {
				found[name] = grant.Status.Phase + "/" + grant.Status.Message
			}
		}
		return found
	}
	r.advance(10 * time.Second)
	changes := []map[string]string{phases()}
	for range 610 {
		r.advance(time.Second)
		if now := phases(); same(now, changes[len(changes)-1]) != nil {
			changes = append(changes, now)
		}
	}
	return same(changes, []map[string]string{early, late})
}

// observePoll checks that a condition that was not met in the recording is not
// met here either: the last response is that of the last exchange.
func (r *replay) observePoll(item transcriptItem) error {
	match := pollEnds.FindStringSubmatch(item.Note)
	if match[2] == "met after" {
		return nil // the previous exchange has the response
	}
	r.advanceTo(r.polls[match[1]].Add(seconds(match[3])))
	address, err := url.Parse(r.last.Request.URL)
	if err != nil {
		return err
	}
	got, err := r.send(r.last, address)
	must(r.t, err)
	return r.compare(r.last, got)
}

// observeRace sends eight parallel creates of one object: the same number
// succeeds as in the recording, and the errors are among the recorded ones.
func (r *replay) observeRace(item transcriptItem) error {
	recorded := observed[struct {
		Request struct {
			URL  string
			Body json.RawMessage
		}
		Answers map[string]int
	}](r, item)
	address, err := url.Parse(recorded.Request.URL)
	must(r.t, err)
	// Each of the recorded requests had another name; the one with f4
	// succeeded.
	body := bytes.ReplaceAll(recorded.Request.Body, []byte(`"f0"`), []byte(`"f4"`))
	s := r.servers[address.Port()]
	s.node.WriteWindow = 100 * time.Millisecond
	defer func() { s.node.WriteWindow = time.Microsecond }()
	responses := inParallel(8, func(int) (answered apiResponse) {
		got := httptest.NewRecorder()
		request := httptest.NewRequest("POST", address.Path, bytes.NewReader(body))
		request.Header.Set("Content-Type", "application/json")
		s.Handler().ServeHTTP(got, request)
		_ = json.Unmarshal(got.Body.Bytes(), &answered) // a body that is not JSON has no code and no text
		return answered
	})
	for text := range responses {
		if recorded.Answers[text] == 0 || responses["0 success"] != recorded.Answers["0 success"] {
			return fmt.Errorf("answers %v, recorded %v", responses, recorded.Answers)
		}
	}
	r.advance(time.Second)
	return nil
}

// observeNewCertificate compares the certificate of the last exchange with the
// recorded text of a real one: key format, names, validity.
func (r *replay) observeNewCertificate(item transcriptItem) error {
	want := observed[struct {
		KeyLine string `json:"key first line"`
		Leaf    string `json:"leaf"`
	}](r, item)
	var have struct {
		Key       []byte   `json:"key"`
		CertChain [][]byte `json:"cert_chain"`
	}
	must(r.t, json.Unmarshal(r.lastCertificate, &have))
	line, _, _ := strings.Cut(string(have.Key), "\n")
	var chain []*x509.Certificate
	for _, text := range have.CertChain {
		block, _ := pem.Decode(text)
		cert, err := x509.ParseCertificate(block.Bytes)
		must(r.t, err)
		chain = append(chain, cert)
	}
	must(r.t, chain[0].CheckSignatureFrom(chain[1]))
	fields := map[string]string{}
	for line := range strings.Lines(want.Leaf) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		fields[name] = value
	}
	// Go has the parts of a name in the opposite order.
	parts := strings.Split(chain[0].Subject.String(), ",")
	slices.Reverse(parts)
	subject := strings.ReplaceAll(strings.ReplaceAll(strings.Join(parts, ", "), "=", " = "), "STREET", "street")
	const form = "Jan _2 15:04:05 2006 MST"
	from, err := time.Parse(form, fields["notBefore"])
	must(r.t, err)
	to, err := time.Parse(form, fields["notAfter"])
	must(r.t, err)
	if life := chain[0].NotAfter.Sub(chain[0].NotBefore); (life - to.Sub(from)).Abs() > 2*time.Second {
		return fmt.Errorf("good for %s, recorded %s", life, to.Sub(from))
	}
	return same([]string{line, "CN = " + chain[0].Issuer.CommonName, subject}, []string{want.KeyLine, fields["issuer"], fields["subject"]})
}

// observeCertificate compares a certificate of the server with the recorded text of
// a real one.
func (r *replay) observeCertificate(item transcriptItem) error {
	file := server.FileServerCert
	if strings.HasPrefix(item.Note, "ca") {
		file = server.FileCA
	}
	text, err := os.ReadFile(filepath.Join(r.servers[portMTLS].CertsDir(), file))
	must(r.t, err)
	block, rest := pem.Decode(text)
	if block == nil || len(strings.TrimSpace(string(rest))) > 0 {
		return fmt.Errorf("%s is not one PEM block", file)
	}
	cert, err := x509.ParseCertificate(block.Bytes)
	must(r.t, err)
	recorded := strings.Join(observed[[]string](r, item), "\n")
	both := []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth}
	checked := 0
	for fact, holds := range map[string]bool{
		"subject=CN = " + cert.Subject.CommonName:       true,
		"TLS Web Client Authentication, TLS Web Server": slices.Equal(cert.ExtKeyUsage, both),
		"CA:TRUE":                             cert.IsCA,
		"issuer=CN = kuscia-system":           cert.Issuer.CommonName == "kuscia-system",
		"Digital Signature, Key Encipherment": cert.KeyUsage == x509.KeyUsageDigitalSignature|x509.KeyUsageKeyEncipherment,
		"Digital Signature, Certificate Sign": cert.KeyUsage == x509.KeyUsageDigitalSignature|x509.KeyUsageCertSign,
		"DNS:kusciaapi":                       slices.Contains(cert.DNSNames, "kusciaapi"),
		"DNS:localhost":                       slices.Contains(cert.DNSNames, "localhost"),
		"IP Address:127.0.0.1":                len(cert.IPAddresses) > 0 && cert.IPAddresses[0].String() == "127.0.0.1",
	} {
		if strings.Contains(recorded, fact) {
			checked++
			if !holds {
				return fmt.Errorf("recorded %q is not true here", fact)
			}
		}
	}
	if !strings.Contains(recorded, "subject=CN = "+cert.Subject.CommonName) || checked < 4 {
		return fmt.Errorf("subject %s; %d facts compared with\n%s", cert.Subject, checked, recorded)
	}
	return nil
}

func (r *replay) observeToken(item transcriptItem) error {
	made := startSandbox(r.t, Options{Protocol: ProtocolTLS})
	text, err := os.ReadFile(filepath.Join(made.CertsDir(), server.FileToken))
	must(r.t, err)
	return same(map[string]any{"length": float64(len(text)), "trailing newline": strings.HasSuffix(string(text), "\n")}, observed[map[string]any](r, item))
}
