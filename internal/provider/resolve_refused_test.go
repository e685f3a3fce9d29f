package provider

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

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
			want: []at{{"endpoint", `no default.*endpoint.*KUSCIA_ENDPOINT`}},
		},
		"empty endpoint": {
			block: block{Endpoint: str("")},
			env:   env{"KUSCIA_ENDPOINT": httpsURL},
			want:  []at{{"endpoint", `empty string.*KUSCIA_ENDPOINT`}},
		},
		"endpoint without a scheme": {
			block: block{Endpoint: str("kuscia.test:8082")},
			want:  []at{{"endpoint", `endpoint: "kuscia.test:8082" does not begin with http:// or https://`}},
		},
		"endpoint with a password": {
			block: block{Endpoint: str("https://me:" + secret + "@kuscia.test:8082")},
			want:  []at{{"endpoint", `user or password.*token_file`}},
		},
		"endpoint with a password and no scheme": {
			block: block{Endpoint: str("me:" + secret + "@kuscia.test:8082")},
			want:  []at{{"endpoint", `user or password`}},
		},
		"token and token_file": {
			block: block{Endpoint: https, Token: str(secret), TokenFile: str("/t")},
			want:  []at{{"token_file", `Both token and token_file are set`}},
		},
		"token file of the environment missing": {
			block: block{Endpoint: https},
			env:   env{"KUSCIA_TOKEN_FILE": "~/t"},
			want:  []at{{"token_file", `KUSCIA_TOKEN_FILE: ~/t: there is no such file.*pathexpand`}},
		},
		"the token itself as token_file": {
			block: block{Endpoint: https, TokenFile: str(secret)},
			want:  []at{{"", `token_file: there is no such file.*looks like the content itself.*without _file`}},
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
		"the key itself as client_key_file": {
			block: block{Endpoint: https, ClientCertificate: str(a.cert), ClientKeyFile: str(a.key)},
			want:  []at{{"", `client_key_file.*looks like the content itself`}},
		},
		"a path as token_file": {
			block: block{Endpoint: https, TokenFile: str("/home/kuscia/var/certs/token")},
			want:  []at{{"token_file", `/home/kuscia/var/certs/token: there is no such file`}},
		},
		"verification switched off beside an authority": {
			block: block{Endpoint: https, CACertificate: str(a.cert), InsecureSkipVerify: types.BoolValue(true)},
			want:  []at{{"insecure_skip_verify", `ca_certificate sets a CA certificate to verify it with. Remove insecure_skip_verify.*tls_server_name`}},
		},
		"token with a line break in it": {
			block: block{Endpoint: https, Token: str(secret + "\n" + secret)},
			want:  []at{{"token", `token contains spaces, line breaks`}},
		},
		"key that does not fit": {
			block: block{Endpoint: https, ClientCertificate: str(a.cert), ClientKey: str(b.key)},
			want:  []at{{"client_key", `certificate comes from client_certificate, the key from client_key: the key does not belong to the client certificate`}},
		},
		"key with a passphrase": {
			block: block{Endpoint: https, ClientCertificate: str(a.cert), ClientKey: str("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n")},
			want:  []at{{"client_key", `client_key: the private key is encrypted with a passphrase`}},
		},
		"byte order marks": {
			block: block{Endpoint: https, TokenFile: str("/t"), CACertificate: str("\ufeff" + a.cert), ClientCertificateFile: str("/c"), ClientKey: str(a.key)},
			files: files{"/t": content("\xff\xfet\x00"), "/c": content("\ufeff" + a.cert)},
			want: []at{
				{"token_file", `\(/t\): it begins with a byte order mark \(UTF-16\)`}, {"ca_certificate", `begins with a byte order mark \(UTF-8\)`},
				{"client_certificate_file", `\(/c\): it begins with a byte order mark \(UTF-8\)`},
			},
		},
		"a file as certs_dir": {
			block: block{Endpoint: https, CertsDir: str("/ca.crt")},
			files: files{"/ca.crt": content(a.cert)},
			want:  []at{{"certs_dir", `^certs_dir: /ca.crt is a file. Set the directory`}},
		},
		"certs_dir without files": {
			block: block{Endpoint: https, CertsDir: str("/certs")},
			files: files{"/certs": nil},
			want:  []at{{"certs_dir", `/certs has none of the files token, ca.crt, kusciaapi-client.crt, kusciaapi-server.crt, kusciaapi-client.key, kusciaapi-server.key`}},
		},
		"a token as certs_dir": {
			env:  env{"KUSCIA_ENDPOINT": httpsURL, "KUSCIA_CERTS_DIR": secret},
			want: []at{{"", `KUSCIA_CERTS_DIR: the value, which does not look like a path`}},
		},
		"certs_dir without the token": {
			block: block{Endpoint: https, CertsDir: str("/certs")},
			files: files{"/certs/ca.crt": content(a.cert)},
			want:  []at{{"certs_dir", `no file named token.*token or token_file \(KUSCIA_TOKEN, KUSCIA_TOKEN_FILE\)`}},
		},
		"http with TLS settings": {
			block: block{
				Endpoint: str(httpURL), CACertificate: str(a.cert), ClientCertificate: str(a.cert), ClientKeyFile: str("/k"),
				TLSServerName: str("x"), InsecureSkipVerify: types.BoolValue(true),
			},
			want: []at{
				{"ca_certificate", `endpoint \(of the provider block\) is http://.*Use https://.*remove ca_certificate`},
				{"client_certificate", `http://`},
				{"client_key_file", `http://`},
				{"tls_server_name", `http://`},
				{"insecure_skip_verify", `http://`},
			},
		},
		"negative retries": {
			block: block{Endpoint: https, MaxRetries: types.Int64Value(-1)},
			want:  []at{{"max_retries", `-1.*0 to 100`}},
		},
		"too many retries": {
			block: block{Endpoint: https, MaxRetries: types.Int64Value(101)},
			want:  []at{{"max_retries", `101.*0 to 100`}},
		},
		"retries of the environment": {
			env:  env{"KUSCIA_ENDPOINT": httpsURL, "KUSCIA_MAX_RETRIES": "many"},
			want: []at{{"max_retries", `KUSCIA_MAX_RETRIES is "many"`}},
		},
		"custom headers of the environment": {
			env:  env{"KUSCIA_ENDPOINT": httpsURL, "KUSCIA_CUSTOM_HEADERS": "key=" + secret},
			want: []at{{"custom_headers", `KUSCIA_CUSTOM_HEADERS must be a JSON object of strings`}},
		},
		"custom header without a name": {
			block: block{Endpoint: https, CustomHeaders: types.MapValueMust(types.StringType, map[string]attr.Value{"": str(secret)})},
			want:  []at{{"custom_headers", `empty name`}},
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
