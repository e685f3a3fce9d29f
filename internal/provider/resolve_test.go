package provider

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/kuscia"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/protocol"
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
	case !ok && f[filepath.Dir(path)] != nil:
		return nil, syscall.ENOTDIR
	case !ok:
		return nil, fmt.Errorf("there is no such file: %w", fs.ErrNotExist)
	case content == nil:
		return nil, fs.ErrPermission
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
		"endpoint from the environment": {
			env: env{"KUSCIA_ENDPOINT": httpsURL},
		},
		"final slash of the endpoint is dropped": {
			block: block{Endpoint: str(httpsURL + "/")},
		},
		"certs_dir of the block replaces that of the environment": {
			block: block{Endpoint: str(httpsURL), CertsDir: str("/mine")},
			env:   env{"KUSCIA_CERTS_DIR": "/env"},
			files: with(full("/env", "other", b), files{"/mine/token": content(secret)}),
			want:  func(c *kuscia.Config) { c.Token = secret },
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
		"certs_dir of the block wins over single variables": {
			block: block{Endpoint: str(httpsURL), CertsDir: str("/certs")},
			env:   env{"KUSCIA_TOKEN": "other"},
			files: files{"/certs/token": content(secret)},
			want:  func(c *kuscia.Config) { c.Token = secret },
		},
		"single variables win over certs_dir of the environment": {
			env:   env{"KUSCIA_ENDPOINT": httpsURL, "KUSCIA_CERTS_DIR": "/certs", "KUSCIA_TOKEN_FILE": "/t", "KUSCIA_CA_CERTIFICATE": b.cert},
			files: with(full("/certs", "other", a), files{"/t": content("mine")}),
			want: func(c *kuscia.Config) {
				c.Token, c.CACertificate, c.ClientCertificate, c.ClientKey = "mine", []byte(b.cert), []byte(a.cert), []byte(a.key)
			},
		},
		"line end after the token in a file": {
			block: block{Endpoint: str(httpsURL), TokenFile: str("/t")},
			files: files{"/t": content(secret + "\r\n")},
			want:  func(c *kuscia.Config) { c.Token = secret },
		},
		"certificate in the block, key in the environment": {
			block: block{Endpoint: str(httpsURL), ClientCertificate: str(a.cert)},
			env:   env{"KUSCIA_CLIENT_KEY": a.key},
			want: func(c *kuscia.Config) {
				c.ClientCertificate, c.ClientKey = []byte(a.cert), []byte(a.key)
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
				CustomHeaders: types.MapValueMust(types.StringType, map[string]attr.Value{"k": str("mine")}),
			},
			env: env{
				"KUSCIA_TLS_SERVER_NAME": "other", "KUSCIA_INSECURE_SKIP_VERIFY": "true",
				"KUSCIA_REQUEST_TIMEOUT": "5s", "KUSCIA_MAX_RETRIES": "7", "KUSCIA_CUSTOM_HEADERS": `{"k":"v"}`,
			},
			want: func(c *kuscia.Config) {
				c.TLSServerName, c.RequestTimeout, c.MaxRetries = "kusciaapi", 10*time.Second, 1
				c.CustomHeaders = map[string]string{"k": "mine"}
			},
		},
		"http needs nothing and does not read certs_dir": {
			block: block{Endpoint: str(httpURL), CertsDir: str("/certs")},
			files: full("/certs", secret, a),
			want:  func(c *kuscia.Config) { c.Endpoint = httpURL },
		},
		"http ignores the TLS variables of the environment": {
			block: block{Endpoint: str(httpURL)},
			env: env{"KUSCIA_CA_CERTIFICATE_FILE": "/missing", "KUSCIA_CLIENT_KEY": "x", "KUSCIA_CLIENT_KEY_FILE": "y",
				"KUSCIA_INSECURE_SKIP_VERIFY": "true", "KUSCIA_TLS_SERVER_NAME": "x"},
			want: func(c *kuscia.Config) { c.Endpoint = httpURL },
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
			got.Config.NoClientCertificate = "" // see TestCertsDirPair
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
			attribute: "endpoint", want: []string{"KUSCIA_TOKEN", "http://", "NOTLS", "https://"},
		},
		"verification switched off by the environment": {
			block: block{Endpoint: str(httpsURL)}, env: env{"KUSCIA_INSECURE_SKIP_VERIFY": "1"},
			attribute: "insecure_skip_verify", want: []string{"KUSCIA_INSECURE_SKIP_VERIFY", "Unset it", "KUSCIA_CA_CERTIFICATE"},
		},
		"a token over https":                      {block: block{Endpoint: str(httpsURL), Token: str(secret), CACertificate: str(a.cert)}},
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
			protocol.Says(t, name, w.Detail, test.want...)
		}
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
