package provider

import (
	"io/fs"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
)

const (
	httpURL  = "http://kuscia.test:8082"
	httpsURL = "https://kuscia.test:8082"
	secret   = "PlantedTokenPlantedTokenPlanted0"
)

var str = types.StringValue

func unknownString() types.String { return types.StringUnknown() }

// files is a file system by path; nil is an unreadable file.
type files map[string]*string

func (f files) read(path string) ([]byte, error) {
	content, ok := f[path]
	switch {
	case !ok:
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	case content == nil:
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	}
	return []byte(*content), nil
}

func content(s string) *string { return &s }

type env map[string]string

func (e env) get(name string) string { return e[name] }

// TestResolveTakes covers the source of each value.
func TestResolveTakes(t *testing.T) {
	a, b := twoPairs(t)
	full := func(dir, token string, p pair) files {
		return files{
			dir + "/token":                content(token),
			dir + "/ca.crt":               content(p.cert),
			dir + "/kusciaapi-server.crt": content(p.cert),
			dir + "/kusciaapi-server.key": content(p.key),
		}
	}
	with := func(base files, more files) files {
		for k, v := range more {
			base[k] = v
		}
		return base
	}

	tests := map[string]struct {
		block block
		env   env
		files files
		want  func(*kuscia.Config) // on top of endpoint https, 30s, 5 retries
	}{
		"endpoint from the block": {
			block: block{Endpoint: str(httpsURL)},
		},
		"endpoint from the environment": {
			env: env{"KUSCIA_ENDPOINT": httpsURL},
		},
		"endpoint of the block wins": {
			block: block{Endpoint: str(httpsURL)},
			env:   env{"KUSCIA_ENDPOINT": "https://other.test:1"},
		},
		"final slash of the endpoint is dropped": {
			block: block{Endpoint: str(httpsURL + "/")},
		},
		"scheme in capital letters": {
			block: block{Endpoint: str("HTTPS://kuscia.test:8082")},
		},
		"endpoint without a port": {
			block: block{Endpoint: str("https://kuscia.test")},
			want:  func(c *kuscia.Config) { c.Endpoint = "https://kuscia.test" },
		},
		"endpoint with an IPv6 address": {
			block: block{Endpoint: str("https://[::1]:8082")},
			want:  func(c *kuscia.Config) { c.Endpoint = "https://[::1]:8082" },
		},
		"certs_dir has everything": {
			block: block{Endpoint: str(httpsURL), CertsDir: str("/certs")},
			files: full("/certs", secret, a),
			want: func(c *kuscia.Config) {
				c.Token, c.CACertificate, c.ClientCertificate, c.ClientKey = secret, []byte(a.cert), []byte(a.cert), []byte(a.key)
			},
		},
		"certs_dir from the environment": {
			env:   env{"KUSCIA_ENDPOINT": httpsURL, "KUSCIA_CERTS_DIR": "/certs"},
			files: full("/certs", secret, a),
			want: func(c *kuscia.Config) {
				c.Token, c.CACertificate, c.ClientCertificate, c.ClientKey = secret, []byte(a.cert), []byte(a.cert), []byte(a.key)
			},
		},
		"certs_dir of the block replaces that of the environment": {
			block: block{Endpoint: str(httpsURL), CertsDir: str("/mine")},
			env:   env{"KUSCIA_CERTS_DIR": "/env"},
			files: with(full("/env", "other", b), files{"/mine/token": content(secret)}),
			want:  func(c *kuscia.Config) { c.Token = secret },
		},
		"certs_dir with token and authority only, for protocol TLS": {
			block: block{Endpoint: str(httpsURL), CertsDir: str("/certs")},
			files: files{"/certs/token": content(secret), "/certs/ca.crt": content(a.cert)},
			want:  func(c *kuscia.Config) { c.Token, c.CACertificate = secret, []byte(a.cert) },
		},
		"single attributes win over certs_dir": {
			block: block{
				Endpoint: str(httpsURL), CertsDir: str("/certs"), Token: str("mine"), CACertificate: str(b.cert),
				ClientCertificateFile: str("/b.crt"), ClientKeyFile: str("/b.key"),
			},
			files: with(full("/certs", "other", a), files{"/b.crt": content(b.cert), "/b.key": content(b.key)}),
			want: func(c *kuscia.Config) {
				c.Token, c.CACertificate, c.ClientCertificate, c.ClientKey = "mine", []byte(b.cert), []byte(b.cert), []byte(b.key)
			},
		},
		"certs_dir that is not needed for anything is not read": {
			block: block{
				Endpoint: str(httpsURL), CertsDir: str("/nowhere"), Token: str("mine"), CACertificate: str(a.cert),
				ClientCertificate: str(a.cert), ClientKey: str(a.key),
			},
			want: func(c *kuscia.Config) {
				c.Token, c.CACertificate, c.ClientCertificate, c.ClientKey = "mine", []byte(a.cert), []byte(a.cert), []byte(a.key)
			},
		},
		"certs_dir of the block wins over single variables": {
			block: block{Endpoint: str(httpsURL), CertsDir: str("/certs")},
			env:   env{"KUSCIA_TOKEN": "other"},
			files: files{"/certs/token": content(secret)},
			want:  func(c *kuscia.Config) { c.Token = secret },
		},
		"single variables fill what certs_dir of the block lacks": {
			block: block{Endpoint: str(httpsURL), CertsDir: str("/certs")},
			env:   env{"KUSCIA_TOKEN": "mine"},
			files: files{"/certs/ca.crt": content(a.cert)},
			want:  func(c *kuscia.Config) { c.Token, c.CACertificate = "mine", []byte(a.cert) },
		},
		"single variables win over certs_dir of the environment": {
			env:   env{"KUSCIA_ENDPOINT": httpsURL, "KUSCIA_CERTS_DIR": "/certs", "KUSCIA_TOKEN_FILE": "/t", "KUSCIA_CA_CERTIFICATE": b.cert},
			files: with(full("/certs", "other", a), files{"/t": content("mine")}),
			want: func(c *kuscia.Config) {
				c.Token, c.CACertificate, c.ClientCertificate, c.ClientKey = "mine", []byte(b.cert), []byte(a.cert), []byte(a.key)
			},
		},
		"token wins over KUSCIA_TOKEN": {
			block: block{Endpoint: str(httpsURL), Token: str("mine")},
			env:   env{"KUSCIA_TOKEN": "other"},
			want:  func(c *kuscia.Config) { c.Token = "mine" },
		},
		"token wins over KUSCIA_TOKEN_FILE": {
			block: block{Endpoint: str(httpsURL), Token: str("mine")},
			env:   env{"KUSCIA_TOKEN_FILE": "/missing"},
			want:  func(c *kuscia.Config) { c.Token = "mine" },
		},
		"token_file wins over KUSCIA_TOKEN": {
			block: block{Endpoint: str(httpsURL), TokenFile: str("/t")},
			env:   env{"KUSCIA_TOKEN": "other"},
			files: files{"/t": content("mine")},
			want:  func(c *kuscia.Config) { c.Token = "mine" },
		},
		"token_file wins over two variables that contradict each other": {
			block: block{Endpoint: str(httpsURL), TokenFile: str("/t")},
			env:   env{"KUSCIA_TOKEN": "other", "KUSCIA_TOKEN_FILE": "/other"},
			files: files{"/t": content("mine")},
			want:  func(c *kuscia.Config) { c.Token = "mine" },
		},
		"line end after the token in a file": {
			block: block{Endpoint: str(httpsURL), TokenFile: str("/t")},
			files: files{"/t": content(secret + "\r\n")},
			want:  func(c *kuscia.Config) { c.Token = secret },
		},
		"line end after the token in a value": {
			block: block{Endpoint: str(httpsURL), Token: str(secret + "\n")},
			want:  func(c *kuscia.Config) { c.Token = secret },
		},
		"line end after the token in certs_dir": {
			block: block{Endpoint: str(httpsURL), CertsDir: str("/certs")},
			files: files{"/certs/token": content(secret + "\n")},
			want:  func(c *kuscia.Config) { c.Token = secret },
		},
		"certificate in the block, key in the environment": {
			block: block{Endpoint: str(httpsURL), ClientCertificate: str(a.cert)},
			env:   env{"KUSCIA_CLIENT_KEY": a.key},
			want: func(c *kuscia.Config) {
				c.ClientCertificate, c.ClientKey = []byte(a.cert), []byte(a.key)
			},
		},
		"all the rest in the block": {
			block: block{
				Endpoint: str(httpsURL), TLSServerName: str("kusciaapi"), InsecureSkipVerify: types.BoolValue(true),
				RequestTimeout: str("1m30s"), MaxRetries: types.Int64Value(0),
				CustomHeaders: types.MapValueMust(types.StringType, map[string]attr.Value{"k": str("v")}),
			},
			want: func(c *kuscia.Config) {
				c.TLSServerName, c.InsecureSkipVerify, c.RequestTimeout, c.MaxRetries = "kusciaapi", true, 90*time.Second, 0
				c.CustomHeaders = map[string]string{"k": "v"}
			},
		},
		"all the rest in the environment": {
			env: env{
				"KUSCIA_ENDPOINT": httpsURL, "KUSCIA_TLS_SERVER_NAME": "kusciaapi", "KUSCIA_INSECURE_SKIP_VERIFY": "1",
				"KUSCIA_REQUEST_TIMEOUT": "5s", "KUSCIA_MAX_RETRIES": "7", "KUSCIA_CUSTOM_HEADERS": `{"k":"v"}`,
			},
			want: func(c *kuscia.Config) {
				c.TLSServerName, c.InsecureSkipVerify, c.RequestTimeout, c.MaxRetries = "kusciaapi", true, 5*time.Second, 7
				c.CustomHeaders = map[string]string{"k": "v"}
			},
		},
		"all the rest: the block wins": {
			block: block{
				Endpoint: str(httpsURL), TLSServerName: str("kusciaapi"), InsecureSkipVerify: types.BoolValue(false),
				RequestTimeout: str("10s"), MaxRetries: types.Int64Value(1),
				CustomHeaders: types.MapValueMust(types.StringType, map[string]attr.Value{}),
			},
			env: env{
				"KUSCIA_TLS_SERVER_NAME": "other", "KUSCIA_INSECURE_SKIP_VERIFY": "true",
				"KUSCIA_REQUEST_TIMEOUT": "5s", "KUSCIA_MAX_RETRIES": "7", "KUSCIA_CUSTOM_HEADERS": `{"k":"v"}`,
			},
			want: func(c *kuscia.Config) {
				c.TLSServerName, c.RequestTimeout, c.MaxRetries = "kusciaapi", 10*time.Second, 1
				c.CustomHeaders = map[string]string{}
			},
		},
		"http needs nothing and does not read certs_dir": {
			block: block{Endpoint: str(httpURL), CertsDir: str("/certs")},
			files: full("/certs", secret, a),
			want:  func(c *kuscia.Config) { c.Endpoint = httpURL },
		},
		"http with a certs_dir that does not exist": {
			env:  env{"KUSCIA_ENDPOINT": httpURL, "KUSCIA_CERTS_DIR": "/nowhere"},
			want: func(c *kuscia.Config) { c.Endpoint = httpURL },
		},
		"http sends a token that is named on its own": {
			block: block{Endpoint: str(httpURL)},
			env:   env{"KUSCIA_TOKEN": "mine"},
			want:  func(c *kuscia.Config) { c.Endpoint, c.Token = httpURL, "mine" },
		},
		"http ignores the TLS variables of the environment": {
			block: block{Endpoint: str(httpURL)},
			env: env{"KUSCIA_CA_CERTIFICATE_FILE": "/missing", "KUSCIA_CLIENT_KEY": "x", "KUSCIA_CLIENT_KEY_FILE": "y",
				"KUSCIA_INSECURE_SKIP_VERIFY": "true", "KUSCIA_TLS_SERVER_NAME": "x"},
			want: func(c *kuscia.Config) { c.Endpoint = httpURL },
		},
		"http with verification switched on is no contradiction": {
			block: block{Endpoint: str(httpURL), InsecureSkipVerify: types.BoolValue(false)},
			want:  func(c *kuscia.Config) { c.Endpoint = httpURL },
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			want := kuscia.Config{Endpoint: httpsURL, RequestTimeout: 30 * time.Second, MaxRetries: 5}
			if test.want != nil {
				test.want(&want)
			}
			got, problems := resolve(test.block, test.env.get, test.files.read)
			if len(problems) > 0 || len(got.Unknown) > 0 {
				t.Fatalf("problems %v, unknown %v", problems, got.Unknown)
			}
			if !reflect.DeepEqual(got.Config, want) {
				t.Errorf("got\n%+v\nwant\n%+v", got.Config, want)
			}
		})
	}
}

// TestResolveWarns covers settings that work but are probably mistakes.
func TestResolveWarns(t *testing.T) {
	a, _ := twoPairs(t)
	for name, test := range map[string]struct {
		block     block
		env       env
		attribute string
		want      []string // nil: no warning
	}{
		"a token from the environment over http": {
			block: block{Endpoint: str(httpURL)}, env: env{"KUSCIA_TOKEN": secret},
			attribute: "token", want: []string{"KUSCIA_TOKEN", "http://", "NOTLS", "https://"},
		},
		"a token file in the block over http": {
			block: block{TokenFile: str("/t")}, env: env{"KUSCIA_ENDPOINT": httpURL},
			attribute: "token_file", want: []string{`"token_file" (/t)`, "(KUSCIA_ENDPOINT) is http://"},
		},
		"verification switched off by the environment": {
			block: block{Endpoint: str(httpsURL)}, env: env{"KUSCIA_INSECURE_SKIP_VERIFY": "1"},
			attribute: "insecure_skip_verify", want: []string{"KUSCIA_INSECURE_SKIP_VERIFY", "Unset it", "KUSCIA_CA_CERTIFICATE"},
		},
		"no token over http":                      {block: block{Endpoint: str(httpURL), CertsDir: str("/certs")}},
		"http does not look at verification":      {block: block{Endpoint: str(httpURL)}, env: env{"KUSCIA_INSECURE_SKIP_VERIFY": "1"}},
		"a token over https":                      {block: block{Endpoint: str(httpsURL), Token: str(secret), CACertificate: str(a.cert)}},
		"verification switched off in the block":  {block: block{Endpoint: str(httpsURL), InsecureSkipVerify: types.BoolValue(true)}},
		"the block switches verification back on": {block: block{Endpoint: str(httpsURL), InsecureSkipVerify: types.BoolValue(false)}, env: env{"KUSCIA_INSECURE_SKIP_VERIFY": "1"}},
	} {
		got, problems := resolve(test.block, test.env.get, files{"/t": content(secret)}.read)
		if len(problems) > 0 || len(got.Warnings) != min(1, len(test.want)) {
			t.Errorf("%s: problems %v, warnings %v", name, problems, got.Warnings)
			continue
		}
		for _, w := range got.Warnings {
			if w.Attribute != test.attribute || strings.Contains(w.Detail, secret) {
				t.Errorf("%s: %+v", name, w)
			}
			for _, part := range test.want {
				if !strings.Contains(w.Detail, part) {
					t.Errorf("%s: %q does not contain %q", name, w.Detail, part)
				}
			}
		}
	}
}

// TestResolveRefuses covers each invalid setting: the attribute of the error,
// and that the message contains the sources and no secret.
func TestResolveRefuses(t *testing.T) {
	a, b := twoPairs(t)
	https := str(httpsURL)

	type at struct {
		attribute string
		detail    string // regexp
	}
	tests := map[string]struct {
		block block
		env   env
		files files
		want  []at
	}{
		"no endpoint": {
			want: []at{{"endpoint", `no default.*"endpoint".*KUSCIA_ENDPOINT`}},
		},
		"empty endpoint": {
			block: block{Endpoint: str("")},
			env:   env{"KUSCIA_ENDPOINT": httpsURL},
			want:  []at{{"endpoint", `empty string.*KUSCIA_ENDPOINT`}},
		},
		"endpoint without a scheme": {
			block: block{Endpoint: str("kuscia.test:8082")},
			want:  []at{{"endpoint", `"endpoint": "kuscia.test:8082" does not begin with http:// or https://`}},
		},
		"endpoint with an address and no scheme": {
			block: block{Endpoint: str("127.0.0.1:8082")},
			want:  []at{{"endpoint", `"127.0.0.1:8082" does not begin with http:// or https://`}},
		},
		"endpoint that does not parse": {
			block: block{Endpoint: str("https://kuscia.test:port")},
			want:  []at{{"endpoint", `"endpoint": not a URL`}},
		},
		"endpoint with spaces": {
			block: block{Endpoint: str(" " + httpsURL)},
			want:  []at{{"endpoint", `does not begin with http://`}},
		},
		"endpoint with another scheme": {
			env:  env{"KUSCIA_ENDPOINT": "grpc://kuscia.test:8083"},
			want: []at{{"endpoint", `KUSCIA_ENDPOINT: "grpc://kuscia.test:8083" does not begin with http`}},
		},
		"endpoint with a path": {
			block: block{Endpoint: str(httpsURL + "/api/v1")},
			want:  []at{{"endpoint", `has a path`}},
		},
		"endpoint with a query": {
			block: block{Endpoint: str(httpsURL + "?token=" + secret)},
			want:  []at{{"endpoint", `query`}},
		},
		"endpoint with a fragment": {
			block: block{Endpoint: str(httpsURL + "#x")},
			want:  []at{{"endpoint", `fragment`}},
		},
		"endpoint with a password": {
			block: block{Endpoint: str("https://me:" + secret + "@kuscia.test:8082")},
			want:  []at{{"endpoint", `user or password.*"token_file"`}},
		},
		"endpoint with a password that does not parse": {
			block: block{Endpoint: str("https://me:" + secret + "%zz@kuscia.test:8082")},
			want:  []at{{"endpoint", `user or password`}},
		},
		"endpoint with a password and no scheme": {
			block: block{Endpoint: str("me:" + secret + "@kuscia.test:8082")},
			want:  []at{{"endpoint", `user or password`}},
		},
		"endpoint without a host": {
			block: block{Endpoint: str("https://:8082")},
			want:  []at{{"endpoint", `no host`}},
		},
		"endpoint with a port out of range": {
			block: block{Endpoint: str("https://kuscia.test:70000")},
			want:  []at{{"endpoint", `port outside 1 to 65535`}},
		},
		"endpoint with a colon and no port": {
			block: block{Endpoint: str("https://kuscia.test:")},
			want:  []at{{"endpoint", `colon without a port`}},
		},
		"token and token_file": {
			block: block{Endpoint: https, Token: str(secret), TokenFile: str("/t")},
			want:  []at{{"token_file", `Both "token" and "token_file" are set`}},
		},
		"two sources for each certificate": {
			block: block{
				Endpoint: https, CACertificate: str(a.cert), CACertificateFile: str("/f"), ClientCertificate: str(a.cert),
				ClientCertificateFile: str("/f"), ClientKey: str(a.key), ClientKeyFile: str("/f"),
			},
			want: []at{
				{"ca_certificate_file", `"ca_certificate" and "ca_certificate_file"`},
				{"client_certificate_file", `"client_certificate" and "client_certificate_file"`},
				{"client_key_file", `"client_key" and "client_key_file"`},
			},
		},
		"KUSCIA_TOKEN and KUSCIA_TOKEN_FILE": {
			block: block{Endpoint: https},
			env:   env{"KUSCIA_TOKEN": secret, "KUSCIA_TOKEN_FILE": "/t"},
			want:  []at{{"token", `KUSCIA_TOKEN and KUSCIA_TOKEN_FILE are set`}},
		},
		"two variables for the authority": {
			block: block{Endpoint: https},
			env:   env{"KUSCIA_CA_CERTIFICATE": a.cert, "KUSCIA_CA_CERTIFICATE_FILE": "/f"},
			want:  []at{{"ca_certificate", `KUSCIA_CA_CERTIFICATE and KUSCIA_CA_CERTIFICATE_FILE`}},
		},
		"two variables for the key": {
			block: block{Endpoint: https, ClientCertificate: str(a.cert)},
			env:   env{"KUSCIA_CLIENT_KEY": a.key, "KUSCIA_CLIENT_KEY_FILE": "/f"},
			want:  []at{{"client_key", `KUSCIA_CLIENT_KEY and KUSCIA_CLIENT_KEY_FILE`}},
		},
		"token file missing": {
			block: block{Endpoint: https, TokenFile: str("/t")},
			want:  []at{{"token_file", `"token_file": /t: file does not exist`}},
		},
		"token file of the environment missing": {
			block: block{Endpoint: https},
			env:   env{"KUSCIA_TOKEN_FILE": "~/t"},
			want:  []at{{"token_file", `KUSCIA_TOKEN_FILE: ~/t: file does not exist.*pathexpand`}},
		},
		"token file not readable": {
			block: block{Endpoint: https, TokenFile: str("/t")},
			files: files{"/t": nil},
			want:  []at{{"token_file", `/t: permission denied`}},
		},
		"token file empty": {
			block: block{Endpoint: https, TokenFile: str("/t")},
			files: files{"/t": content("")},
			want:  []at{{"token_file", `/t is empty`}},
		},
		"token file with nothing but a line end": {
			block: block{Endpoint: https, TokenFile: str("/t")},
			files: files{"/t": content("\n")},
			want:  []at{{"token_file", `contains no token`}},
		},
		"the token itself as token_file": {
			block: block{Endpoint: https, TokenFile: str(secret)},
			want:  []at{{"", `"token_file": there is no such file.*looks like the content itself.*without _file`}},
		},
		"a token that begins like a path as token_file": {
			block: block{Endpoint: https, TokenFile: str("/" + secret[1:])},
			want:  []at{{"", `"token_file": there is no such file.*looks like the content itself`}},
		},
		"a token with slashes as KUSCIA_TOKEN_FILE": {
			block: block{Endpoint: https},
			env:   env{"KUSCIA_TOKEN_FILE": "/a/b/" + secret[5:]},
			want:  []at{{"", `KUSCIA_TOKEN_FILE: there is no such file.*looks like the content itself`}},
		},
		"a web token as token_file": {
			block: block{Endpoint: https, TokenFile: str("eyJh." + secret + ".x")},
			want:  []at{{"", `looks like the content itself`}},
		},
		"a path as token_file": {
			block: block{Endpoint: https, TokenFile: str("/home/kuscia/var/certs/token")},
			want:  []at{{"token_file", `/home/kuscia/var/certs/token: file does not exist`}},
		},
		"verification switched off beside an authority": {
			block: block{Endpoint: https, CACertificate: str(a.cert), InsecureSkipVerify: types.BoolValue(true)},
			want:  []at{{"insecure_skip_verify", `"ca_certificate" sets a CA certificate to verify it with. Remove "insecure_skip_verify".*"tls_server_name"`}},
		},
		"verification switched off by the environment beside an authority": {
			block: block{Endpoint: https, CACertificateFile: str("/ca.crt")},
			env:   env{"KUSCIA_INSECURE_SKIP_VERIFY": "true"},
			files: files{"/ca.crt": content(a.cert)},
			want:  []at{{"insecure_skip_verify", `KUSCIA_INSECURE_SKIP_VERIFY disables.*but "ca_certificate_file" \(/ca.crt\).*Remove KUSCIA_INSECURE_SKIP_VERIFY`}},
		},
		"verification switched off beside the authority of certs_dir": {
			block: block{Endpoint: https, CertsDir: str("/certs"), InsecureSkipVerify: types.BoolValue(true)},
			files: files{"/certs/token": content(secret), "/certs/ca.crt": content(a.cert)},
			want:  []at{{"insecure_skip_verify", `but "certs_dir" \(/certs/ca.crt\)`}},
		},
		"the key itself as client_key_file": {
			block: block{Endpoint: https, ClientCertificate: str(a.cert), ClientKeyFile: str(a.key)},
			want:  []at{{"", `"client_key_file".*looks like the content itself`}},
		},
		"token with a line break in it": {
			block: block{Endpoint: https, Token: str(secret + "\n" + secret)},
			want:  []at{{"token", `"token" contains spaces, line breaks`}},
		},
		"empty token": {
			block: block{Endpoint: https, Token: str("")},
			want:  []at{{"token", `empty string.*KUSCIA_TOKEN`}},
		},
		"authority is a path": {
			block: block{Endpoint: https, CACertificate: str("/ca.crt")},
			want:  []at{{"ca_certificate", `no certificate in PEM form.*for a file name use "ca_certificate_file"`}},
		},
		"authority is a key": {
			block: block{Endpoint: https, CACertificateFile: str("/ca.crt")},
			files: files{"/ca.crt": content(a.key)},
			want:  []at{{"ca_certificate_file", `\(/ca.crt\): it contains no certificate in PEM form`}},
		},
		"authority is broken": {
			block: block{Endpoint: https, CACertificate: str("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")},
			want:  []at{{"ca_certificate", `cannot be parsed`}},
		},
		"certificate without a key": {
			block: block{Endpoint: https, ClientCertificate: str(a.cert)},
			want:  []at{{"client_certificate", `comes from "client_certificate".*"client_key" or "client_key_file" \(KUSCIA_CLIENT_KEY, KUSCIA_CLIENT_KEY_FILE\)`}},
		},
		"certificate variable without a key": {
			block: block{Endpoint: https},
			env:   env{"KUSCIA_CLIENT_CERTIFICATE": a.cert},
			want:  []at{{"client_certificate", `comes from KUSCIA_CLIENT_CERTIFICATE`}},
		},
		"key without a certificate": {
			block: block{Endpoint: https, ClientKey: str(a.key)},
			want:  []at{{"client_key", `comes from "client_key".*"client_certificate" or "client_certificate_file"`}},
		},
		"certificate in certs_dir without a key": {
			block: block{Endpoint: https, CertsDir: str("/certs")},
			files: files{"/certs/token": content(secret), "/certs/kusciaapi-server.crt": content(a.cert)},
			want:  []at{{"certs_dir", `comes from "certs_dir" \(/certs/kusciaapi-server.crt\), but there is no key`}},
		},
		"key that does not fit": {
			block: block{Endpoint: https, ClientCertificate: str(a.cert), ClientKey: str(b.key)},
			want:  []at{{"client_key", `certificate comes from "client_certificate", the key from "client_key": private key does not match`}},
		},
		"key of certs_dir does not fit a certificate of its own": {
			block: block{Endpoint: https, CertsDir: str("/certs"), ClientCertificate: str(b.cert)},
			files: files{"/certs/token": content(secret), "/certs/kusciaapi-server.key": content(a.key)},
			want:  []at{{"certs_dir", `the key from "certs_dir" \(/certs/kusciaapi-server.key\)`}},
		},
		"key that is a path": {
			block: block{Endpoint: https, ClientCertificate: str(a.cert), ClientKey: str("/k.key")},
			want:  []at{{"client_key", `not in PEM form.*use "client_key_file"`}},
		},
		"certificate that is a key": {
			block: block{Endpoint: https, ClientCertificate: str(a.key), ClientKey: str(a.key)},
			want:  []at{{"client_certificate", `no certificate in PEM form`}},
		},
		"certs_dir does not exist": {
			block: block{Endpoint: https, CertsDir: str("~/certs")},
			want:  []at{{"certs_dir", `~/certs has no file token, ca.crt, kusciaapi-server.crt, kusciaapi-server.key.*pathexpand`}},
		},
		"certs_dir of the environment does not exist": {
			env:  env{"KUSCIA_ENDPOINT": httpsURL, "KUSCIA_CERTS_DIR": "/certs"},
			want: []at{{"certs_dir", `KUSCIA_CERTS_DIR: /certs has no file`}},
		},
		"certs_dir without the token": {
			block: block{Endpoint: https, CertsDir: str("/certs")},
			files: files{"/certs/ca.crt": content(a.cert)},
			want:  []at{{"certs_dir", `no file named token.*"token" or "token_file" \(KUSCIA_TOKEN, KUSCIA_TOKEN_FILE\)`}},
		},
		"certs_dir with a file that may not be read": {
			block: block{Endpoint: https, CertsDir: str("/certs")},
			files: files{"/certs/token": content(secret), "/certs/kusciaapi-server.crt": content(a.cert), "/certs/kusciaapi-server.key": nil},
			want:  []at{{"certs_dir", `/certs/kusciaapi-server.key: permission denied`}},
		},
		"certs_dir with an empty token": {
			block: block{Endpoint: https, CertsDir: str("/certs")},
			files: files{"/certs/token": content("")},
			want:  []at{{"certs_dir", `/certs/token is empty`}},
		},
		"http with TLS settings": {
			block: block{
				Endpoint: str(httpURL), CACertificate: str(a.cert), ClientCertificate: str(a.cert), ClientKeyFile: str("/k"),
				TLSServerName: str("x"), InsecureSkipVerify: types.BoolValue(true),
			},
			want: []at{
				{"ca_certificate", `endpoint \("endpoint"\) is http://.*Use https://.*remove "ca_certificate"`},
				{"client_certificate", `http://`},
				{"client_key_file", `http://`},
				{"tls_server_name", `http://`},
				{"insecure_skip_verify", `http://`},
			},
		},
		"http of the environment with a TLS setting": {
			block: block{InsecureSkipVerify: types.BoolValue(true)},
			env:   env{"KUSCIA_ENDPOINT": httpURL},
			want:  []at{{"insecure_skip_verify", `endpoint \(KUSCIA_ENDPOINT\) is http://`}},
		},
		"timeout without a unit": {
			block: block{Endpoint: https, RequestTimeout: str("30")},
			want:  []at{{"request_timeout", `"30" has no unit.*"30s"`}},
		},
		"timeout that is no duration": {
			env:  env{"KUSCIA_ENDPOINT": httpsURL, "KUSCIA_REQUEST_TIMEOUT": "soon"},
			want: []at{{"request_timeout", `KUSCIA_REQUEST_TIMEOUT: "soon" is not a duration`}},
		},
		"timeout of zero": {
			block: block{Endpoint: https, RequestTimeout: str("0s")},
			want:  []at{{"request_timeout", `is not positive`}},
		},
		"negative timeout": {
			block: block{Endpoint: https, RequestTimeout: str("-1s")},
			want:  []at{{"request_timeout", `is not positive`}},
		},
		"negative retries": {
			block: block{Endpoint: https, MaxRetries: types.Int64Value(-1)},
			want:  []at{{"max_retries", `-1.*0 to 100`}},
		},
		"too many retries": {
			block: block{Endpoint: https, MaxRetries: types.Int64Value(1 << 40)},
			want:  []at{{"max_retries", `0 to 100`}},
		},
		"retries of the environment": {
			env:  env{"KUSCIA_ENDPOINT": httpsURL, "KUSCIA_MAX_RETRIES": "many"},
			want: []at{{"max_retries", `KUSCIA_MAX_RETRIES is "many"`}},
		},
		"truth value of the environment": {
			env:  env{"KUSCIA_ENDPOINT": httpsURL, "KUSCIA_INSECURE_SKIP_VERIFY": "ja"},
			want: []at{{"insecure_skip_verify", `KUSCIA_INSECURE_SKIP_VERIFY is "ja"; use true or false`}},
		},
		"adoption of the environment": {
			env:  env{"KUSCIA_ENDPOINT": httpsURL, "KUSCIA_ADOPT_EXISTING": "always"},
			want: []at{{"adopt_existing", `KUSCIA_ADOPT_EXISTING is "always"; use true or false`}},
		},
		"custom headers of the environment": {
			env:  env{"KUSCIA_ENDPOINT": httpsURL, "KUSCIA_CUSTOM_HEADERS": "key=" + secret},
			want: []at{{"custom_headers", `KUSCIA_CUSTOM_HEADERS must be a JSON object of strings`}},
		},
		"custom header of the environment without a name": {
			env:  env{"KUSCIA_ENDPOINT": httpsURL, "KUSCIA_CUSTOM_HEADERS": `{"": "` + secret + `"}`},
			want: []at{{"custom_headers", `empty name`}},
		},
		"custom header without a name": {
			block: block{Endpoint: https, CustomHeaders: types.MapValueMust(types.StringType, map[string]attr.Value{"": str(secret)})},
			want:  []at{{"custom_headers", `empty name`}},
		},
		"custom header without a value": {
			block: block{Endpoint: https, CustomHeaders: types.MapValueMust(types.StringType, map[string]attr.Value{"k": types.StringNull()})},
			want:  []at{{"custom_headers", `"k".*null`}},
		},
		"several problems at once": {
			block: block{Endpoint: https, ClientKeyFile: str("/k"), TokenFile: str("/t"), CACertificate: str("x")},
			want:  []at{{"token_file", `/t`}, {"client_key_file", `/k`}, {"ca_certificate", `PEM`}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, problems := resolve(test.block, test.env.get, test.files.read)
			if !reflect.DeepEqual(got, settings{}) {
				t.Errorf("settings although there are errors: %+v", got)
			}
			if len(problems) != len(test.want) {
				t.Fatalf("problems: %+v", problems)
			}
			for i, want := range test.want {
				if problems[i].Attribute != want.attribute {
					t.Errorf("on attribute %s, want %s", problems[i].Attribute, want.attribute)
				}
				if !regexp.MustCompile("(?s)" + want.detail).MatchString(problems[i].Detail) {
					t.Errorf("detail %q does not match %q", problems[i].Detail, want.detail)
				}
				for _, planted := range []string{secret, a.key, b.key, strings.Split(a.key, "\n")[1], strings.Split(b.key, "\n")[1]} {
					if strings.Contains(problems[i].Summary+problems[i].Detail, planted) {
						t.Errorf("a secret is in the message: %q", problems[i])
					}
				}
			}
		})
	}
}

// TestResolveUnknown: unknown values are collected, known ones are still
// checked, and no file is read.
func TestResolveUnknown(t *testing.T) {
	noFiles := func(path string) ([]byte, error) {
		t.Errorf("%s was read", path)
		return files{}.read(path)
	}
	tests := map[string]struct {
		block block
		want  []string
	}{
		"endpoint": {block{Endpoint: unknownString(), CertsDir: str("/certs")}, []string{"endpoint"}},
		"token":    {block{Endpoint: str(httpsURL), CertsDir: str("/certs"), Token: unknownString()}, []string{"token"}},
		"one of two sources may still be null": {
			block{Endpoint: str(httpsURL), Token: str("mine"), TokenFile: unknownString()}, []string{"token_file"},
		},
		"a TLS setting with http may still be null": {
			block{Endpoint: str(httpURL), CACertificate: unknownString()}, []string{"ca_certificate"},
		},
		"one custom header": {
			block{Endpoint: str(httpsURL), CustomHeaders: types.MapValueMust(types.StringType, map[string]attr.Value{"k": unknownString()})},
			[]string{"custom_headers"},
		},
		"everything": {
			block{
				Endpoint: unknownString(), CertsDir: unknownString(), Token: unknownString(), TokenFile: unknownString(),
				CACertificate: unknownString(), CACertificateFile: unknownString(), ClientCertificate: unknownString(),
				ClientCertificateFile: unknownString(), ClientKey: unknownString(), ClientKeyFile: unknownString(),
				TLSServerName: unknownString(), InsecureSkipVerify: types.BoolUnknown(), RequestTimeout: unknownString(),
				MaxRetries: types.Int64Unknown(), CustomHeaders: types.MapUnknown(types.StringType), AdoptExisting: types.BoolUnknown(),
			},
			[]string{
				"adopt_existing", "ca_certificate", "ca_certificate_file", "certs_dir", "client_certificate", "client_certificate_file", "client_key",
				"client_key_file", "custom_headers", "endpoint", "insecure_skip_verify", "max_retries", "request_timeout",
				"tls_server_name", "token", "token_file",
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, problems := resolve(test.block, env{}.get, noFiles)
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			if !reflect.DeepEqual(got.Unknown, test.want) {
				t.Errorf("got %v, want %v", got.Unknown, test.want)
			}
		})
	}

	t.Run("a known mistake is reported all the same", func(t *testing.T) {
		_, problems := resolve(block{Endpoint: unknownString(), RequestTimeout: str("soon")}, env{}.get, noFiles)
		if len(problems) != 1 || problems[0].Attribute != "request_timeout" {
			t.Error(problems)
		}
	})
}

// TestAdoptExisting: off by default; the block takes precedence over the
// environment.
func TestAdoptExisting(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		block types.Bool
		env   string
		want  bool
	}{
		{types.BoolNull(), "", false},
		{types.BoolNull(), "true", true},
		{types.BoolNull(), "0", false},
		{types.BoolValue(true), "", true},
		{types.BoolValue(true), "false", true},
		{types.BoolValue(false), "true", false},
	} {
		got, problems := resolve(block{Endpoint: str(httpURL), AdoptExisting: test.block}, env{"KUSCIA_ADOPT_EXISTING": test.env}.get, func(string) ([]byte, error) { return nil, os.ErrNotExist })
		if len(problems) > 0 || got.AdoptExisting != test.want {
			t.Errorf("block %s, environment %q: %t, want %t (%v)", test.block, test.env, got.AdoptExisting, test.want, problems)
		}
	}
}

// TestCheckBlockWithoutEnvironment: `terraform validate` accepts an empty block
// on a machine without any settings.
func TestCheckBlockWithoutEnvironment(t *testing.T) {
	if problems := checkBlock(block{}); len(problems) > 0 {
		t.Error(problems)
	}
}
