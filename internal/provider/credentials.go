package provider

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

// credential can be set as a value, as a file, or as a file with one of Kuscia's
// names in certs_dir.
type credential struct {
	value, file  string   // attributes
	conventional []string // file names in certs_dir
}

// Kuscia's script for clients makes the pair of the client; the server's pair
// serves as well. The names of a pair are at the same place of both lists.
var (
	tokenCredential      = credential{attrToken, attrTokenFile, []string{"token"}}
	caCredential         = credential{attrCACertificate, attrCACertificateFile, []string{"ca.crt"}}
	clientCertCredential = credential{attrClientCertificate, attrClientCertificateFile, []string{"kusciaapi-client.crt", "kusciaapi-server.crt"}}
	clientKeyCredential  = credential{attrClientKey, attrClientKeyFile, []string{"kusciaapi-client.key", "kusciaapi-server.key"}}
)

// found is the content of a credential, the attribute for errors about it, and
// the name of its source for messages.
type found struct {
	content   string
	attribute string
	source    string
}

func (f found) absent() bool { return f.source == "" }

// credentials sets the token and, for https://, the certificates.
func (r *resolver) credentials(config *kuscia.Config, endpoint url.URL) {
	if endpoint.Scheme == "http" {
		r.plainCredentials(config)
		return
	}

	dir := r.certsDir()
	token := r.find(tokenCredential, dir)
	ca := r.find(caCredential, dir)
	certificate := r.find(clientCertCredential, dir)
	key := r.find(clientKeyCredential, dir)
	config.TLSServerName, _ = r.text(attrTLSServerName)
	config.InsecureSkipVerify = r.checkVerification(ca)
	dir.check(r, token)

	config.Token = r.checkToken(token)
	config.CACertificate = r.checkCA(ca)
	config.ClientCertificate, config.ClientKey = r.checkPair(certificate, key, dir)
	if config.ClientCertificate == nil {
		config.NoClientCertificate = dir.withoutPair()
	}
}

// plainCredentials is for http://. It ignores certs_dir and the TLS variables
// of the environment: a Kuscia without TLS needs no credentials, and a wrong
// scheme must not send the token of certs_dir in clear text. A token that is
// set explicitly is sent, for a gateway that needs it.
func (r *resolver) plainCredentials(config *kuscia.Config) {
	r.problems = append(r.problems, checkPlain(r.block, r.endpointSource())...)
	token := r.find(tokenCredential, certsDir{})
	if config.Token = r.checkToken(token); config.Token != "" {
		// Not on the token, whose line the CLI would show.
		r.warn(attrEndpoint, "Token is sent in clear text",
			"The token comes from %s and the endpoint (%s) is http://, so anybody on the network path can read it. A Kuscia with protocol NOTLS needs no token: remove it unless a gateway requires it, "+
				"or use https:// if this Kuscia runs with protocol TLS or MTLS.", token.source, r.endpointSource())
	}
}

// checkVerification returns whether to skip the verification of the server's
// certificate. That contradicts a configured authority; and if the environment
// skips it, the user may not be aware of it.
func (r *resolver) checkVerification(ca found) (skip bool) {
	skip, source := r.insecureSkipVerify()
	switch {
	case !skip:
	case !ca.absent():
		r.fail(attrInsecureSkipVerify, "Conflicting TLS settings",
			"%s disables the verification of the server's certificate, but %s sets a CA certificate to verify it with. Remove %s; if the certificate is for another name than the endpoint, set tls_server_name (%s) to a name in it. "+
				"To skip the verification anyway, remove the CA certificate.",
			source, ca.source, source, envName(attrTLSServerName))
	case source != attrInsecureSkipVerify:
		r.warn(attrInsecureSkipVerify, "Server certificate is not verified",
			"The environment variable %s disables the verification, so the token is sent to an unverified server. Unset it, and set ca_certificate or certs_dir (%s, %s) instead.",
			source, envName(attrCACertificate), envName(attrCertsDir))
	}
	return skip
}

func (r *resolver) endpointSource() string {
	_, source := r.text(attrEndpoint)
	return source
}

// find looks for a credential in the order that resolve documents.
func (r *resolver) find(c credential, dir certsDir) found {
	if v := r.block.text(c.value); known(v) {
		return found{v.ValueString(), c.value, c.value}
	}
	if v := r.block.text(c.file); known(v) {
		return r.read(v.ValueString(), c.file, c.file)
	}
	if dir.inBlock {
		if f := dir.find(r, c); !f.absent() {
			return f
		}
	}

	valueName, fileName := envName(c.value), envName(c.file)
	value, file := r.getenv(valueName), r.getenv(fileName)
	switch {
	case value != "" && file != "":
		r.fail(c.value, "Conflicting environment variables", "Both environment variables %s and %s are set. Keep one of them, or set %s or %s in the provider block.",
			valueName, fileName, c.value, c.file)
		return found{}
	case value != "":
		return found{value, c.value, valueName}
	case file != "":
		return r.read(file, c.file, fileName)
	}

	if !dir.inBlock {
		return dir.find(r, c)
	}
	return found{}
}

// read reads a credential from a file that the user has set.
func (r *resolver) read(path, attribute, source string) found {
	content, err := r.readFile(path)
	switch {
	case err != nil && looksLikeContent(path):
		// Not on the attribute: the CLI would show its line.
		r.fail("", "Unable to read file", "%s: %s. The value looks like the content itself and is not shown; content goes into the attribute (or variable) without _file.", source, err)
		return found{}
	case err != nil:
		r.fail(attribute, "Unable to read file", "%s: %s: %s.%s", source, path, err, tildeHint(path))
		return found{}
	case len(content) == 0:
		r.fail(attribute, "File is empty", "%s: %s is empty.", source, path)
		return found{}
	}
	return found{string(content), attribute, source + " (" + path + ")"}
}

// certsDir is the directory of certs_dir with the files that were looked for.
type certsDir struct {
	path    string // "" when not set
	source  string
	inBlock bool
	seen    *dirContents
}

// fail reports a problem of the directory, whose path is not shown if it looks like something
// else.
func (d certsDir) fail(r *resolver, summary, text string) {
	attribute, path := attrCertsDir, d.path
	if looksLikeContent(path) {
		attribute, path = "", "the value, which does not look like a path and is not shown,"
	}
	r.fail(attribute, summary, "%s: %s%s", d.source, path, text)
}

type dirContents struct {
	tried, present []string
	failed         bool
	pair           int // of the conventional names
}

func (r *resolver) certsDir() certsDir {
	path, source := r.text(attrCertsDir)
	if source == "" {
		return certsDir{}
	}
	d := certsDir{path: path, source: source, inBlock: known(r.block.CertsDir), seen: &dirContents{}}
	d.seen.pair = d.findPair(r)
	return d
}

// findPair chooses the client certificate of which the directory has both
// files, or else one.
func (d certsDir) findPair(r *resolver) int {
	best, most := 0, 0
	for i := range clientCertCredential.conventional {
		files := 0
		for _, name := range d.pairNames(i) {
			if _, err := r.readFile(filepath.Join(d.path, name)); err == nil {
				files++
			}
		}
		if files > most {
			best, most = i, files
		}
	}
	return best
}

func (certsDir) pairNames(i int) []string {
	return []string{clientCertCredential.conventional[i], clientKeyCredential.conventional[i]}
}

// lacks says which file of a pair the directory does not have, or is "".
func (d certsDir) lacks(c credential) string {
	if d.path == "" {
		return ""
	}
	return fmt.Sprintf(": %s (%s) has no %s", d.source, d.path, c.conventional[d.seen.pair])
}

// withoutPair says that the directory has no client certificate, or is "".
func (d certsDir) withoutPair() string {
	if d.path == "" || len(d.seen.present) == 0 {
		return ""
	}
	return fmt.Sprintf("%s (%s) has neither %s nor %s", d.source, d.path, strings.Join(d.pairNames(0), " and "), strings.Join(d.pairNames(1), " and "))
}

// find reads a credential by its conventional name. A missing file is not an
// error here; check validates the directory as a whole.
func (d certsDir) find(r *resolver, c credential) found {
	if d.path == "" {
		return found{}
	}
	name := c.conventional[min(d.seen.pair, len(c.conventional)-1)]
	path := filepath.Join(d.path, name)
	d.seen.tried = append(d.seen.tried, c.conventional...)
	content, err := r.readFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return found{}
	case errors.Is(err, syscall.ENOTDIR):
		if d.seen.failed {
			return found{} // one error for the directory
		}
		d.seen.failed = true
		d.fail(r, "Not a directory", " is a file. Set the directory that contains it; a single file is set with token_file, ca_certificate_file, client_certificate_file or client_key_file.")
		return found{}
	case err != nil:
		d.seen.failed = true
		d.fail(r, "Unable to read file", string(filepath.Separator)+name+": "+err.Error()+".")
		return found{}
	case len(content) == 0:
		d.seen.failed = true
		r.fail(attrCertsDir, "File is empty", "%s: %s is empty.", d.source, path)
		return found{}
	}
	d.seen.present = append(d.seen.present, name)
	return found{string(content), attrCertsDir, d.source + " (" + path + ")"}
}

// check refuses a directory that is not a certificates directory, and one
// without the token, which every https:// Kuscia requires.
func (d certsDir) check(r *resolver, token found) {
	if d.path == "" || d.seen.failed || len(d.seen.tried) == 0 {
		return
	}
	if len(d.seen.present) == 0 {
		const which = "It must be Kuscia's directory /home/kuscia/var/certs, or a copy of it."
		// A directory that exists cannot be read as a file either, with another error.
		if _, err := r.readFile(d.path); errors.Is(err, fs.ErrNotExist) {
			d.fail(r, "Certificates directory does not exist", ": there is no such directory. "+which+tildeHint(d.path))
			return
		}
		d.fail(r, "Certificates directory without certificates", " has none of the files "+strings.Join(d.seen.tried, ", ")+". "+which)
		return
	}
	if token.absent() && slices.Contains(d.seen.tried, tokenCredential.conventional[0]) {
		r.fail(attrCertsDir, "Missing token",
			"%s: %s has no file named token, but Kuscia requires its token in every request over https://. "+
				"Copy the file there, or set token or token_file (%s, %s).",
			d.source, d.path, envName(attrToken), envName(attrTokenFile))
	}
}

// checkToken removes trailing newlines. Kuscia's file has none, but editors and
// `echo` add one, and a header must not contain it.
func (r *resolver) checkToken(f found) string {
	if f.absent() {
		return ""
	}
	if err := httpapi.CheckEncoding([]byte(f.content)); err != nil {
		r.fail(f.attribute, "Invalid token", "%s: %s.", f.source, err)
		return ""
	}
	token := strings.TrimRight(f.content, "\r\n")
	if strings.TrimSpace(token) == "" {
		r.fail(f.attribute, "Empty token", "%s contains no token.", f.source)
		return ""
	}
	for _, c := range token {
		if c <= ' ' || c > '~' {
			r.fail(f.attribute, "Invalid token", "%s contains spaces, line breaks or characters outside ASCII, which a Kuscia token never has. "+
				"It must be exactly the content of Kuscia's file token.", f.source)
			return ""
		}
	}
	return token
}

// checkCA requires at least one valid certificate.
func (r *resolver) checkCA(f found) []byte {
	if f.absent() {
		return nil
	}
	if err := httpapi.CheckCertificates([]byte(f.content)); err != nil {
		r.fail(f.attribute, "Invalid CA certificate", "%s: %s.%s", f.source, err, valueHint(f, attrCACertificate, attrCACertificateFile))
		return nil
	}
	return []byte(f.content)
}

// checkPair requires the client certificate and its key, or none of them, and
// that they match.
func (r *resolver) checkPair(certificate, key found, dir certsDir) (cert, private []byte) {
	switch {
	case certificate.absent() && key.absent():
		return nil, nil
	case len(r.problems) > 0 && (certificate.absent() || key.absent()):
		return nil, nil // the missing one may be the unreadable one
	case key.absent():
		r.fail(certificate.attribute, "Missing client key",
			"A client certificate comes from %s, but there is no key for it%s. Set client_key or client_key_file (%s, %s), or remove the certificate if this Kuscia runs with protocol TLS.",
			certificate.source, dir.lacks(clientKeyCredential), envName(attrClientKey), envName(attrClientKeyFile))
		return nil, nil
	case certificate.absent():
		r.fail(key.attribute, "Missing client certificate",
			"A client key comes from %s, but there is no certificate for it%s. Set client_certificate or client_certificate_file (%s, %s), or remove the key if this Kuscia runs with protocol TLS.",
			key.source, dir.lacks(clientCertCredential), envName(attrClientCertificate), envName(attrClientCertificateFile))
		return nil, nil
	}

	err := httpapi.CheckClientCertificate([]byte(certificate.content), []byte(key.content))
	var invalid *httpapi.ConfigError
	switch {
	case err == nil:
		return []byte(certificate.content), []byte(key.content)
	case errors.Is(err, httpapi.ErrOtherKey):
		r.fail(key.attribute, "Client certificate and key do not match", "The certificate comes from %s, the key from %s: %s.", certificate.source, key.source, httpapi.ErrOtherKey)
	case errors.As(err, &invalid) && invalid.Field == "ClientCertificate":
		r.fail(certificate.attribute, "Invalid client certificate", "%s: %s.%s", certificate.source, invalid.Problem, valueHint(certificate, attrClientCertificate, attrClientCertificateFile))
	case errors.As(err, &invalid):
		r.fail(key.attribute, "Invalid client key", "%s: %s.%s", key.source, invalid.Problem, valueHint(key, attrClientKey, attrClientKeyFile))
	}
	return nil, nil
}

// valueHint is the hint for a path in an attribute for the content.
func valueHint(f found, value, file string) string {
	if f.source == value || f.source == envName(value) {
		return fmt.Sprintf(" %s expects the content; for a file name use %s.", value, file)
	}
	return ""
}

// looksLikeContent detects PEM text, JSON, long texts and tokens (32 characters of base64, or a
// web token) in an attribute for a path. A path with capital letters or digits
// may be a false positive; the error then only does not show it.
func looksLikeContent(path string) bool {
	path = strings.TrimSpace(path)
	const longest = 1024
	if strings.ContainsFunc(path, unicode.IsControl) || strings.ContainsAny(path, `{"`) || strings.Contains(path, "-----BEGIN") || strings.HasPrefix(path, "eyJ") || len(path) > longest {
		return true
	}
	const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-"
	if len(path) < 24 || strings.Trim(path, base64Alphabet) != "" {
		return false
	}
	return path[0] != '/' || strings.ContainsAny(path, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+=")
}

// tildeHint is the hint for a path that a shell would expand.
func tildeHint(path string) string {
	if strings.HasPrefix(path, "~") {
		return " The path is used unchanged; for a home directory use pathexpand(\"~/...\")."
	}
	return ""
}
