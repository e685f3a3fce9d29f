package kuscia

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/apierror"
	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testcert"
)

func startTLS(t testing.TB, a *testcert.Authority, end time.Time, names []string, change func(*tls.Config)) string {
	t.Helper()
	cert, key := a.Issue(end, names...)
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(&faultServer{good: servingResponse})
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	if change != nil {
		change(server.TLS)
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.URL
}

// TestTLSHints covers every TLS failure: each has its own hint, is not
// repeated, and has no effect.
func TestTLSHints(t *testing.T) {
	ours, other := testcert.NewAuthority(t, "ours"), testcert.NewAuthority(t, "other")
	soon, past := time.Now().Add(time.Hour), time.Now().Add(-time.Hour)
	local := []string{"127.0.0.1", "kusciaapi"}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(ours.PEM)
	mutual := func(version uint16) func(*tls.Config) {
		return func(c *tls.Config) {
			c.ClientAuth, c.ClientCAs, c.MaxVersion = tls.RequireAndVerifyClientCert, pool, version
		}
	}
	cert, key := ours.Issue(soon, "client")
	otherCert, otherKey := other.Issue(soon, "client")
	pastCert, pastKey := ours.Issue(past, "client")
	plain := httptest.NewServer(&faultServer{good: servingResponse})
	t.Cleanup(plain.Close)
	withTLS := startTLS(t, ours, soon, local, nil)

	ca := func(c *Config) { c.CACertificate = ours.PEM }
	cases := []struct {
		name     string
		endpoint string
		change   func(*Config)
		hint     string // "" means success
	}{
		{"TLS", withTLS, ca, ""},
		{"TLS unverified", withTLS, func(c *Config) { c.InsecureSkipVerify = true }, ""},
		{"MTLS", startTLS(t, ours, soon, local, mutual(0)), func(c *Config) { ca(c); c.ClientCertificate, c.ClientKey = cert, key }, ""},
		{"other name", startTLS(t, ours, soon, []string{"kusciaapi"}, nil), func(c *Config) { ca(c); c.TLSServerName = "kusciaapi" }, ""},
		{"wrong CA", withTLS, func(c *Config) { c.CACertificate = other.PEM }, "ca_certificate"},
		{"wrong name", startTLS(t, ours, soon, []string{"elsewhere"}, nil), ca, "tls_server_name"},
		{"expired", startTLS(t, ours, past, local, nil), ca, "is expired or not yet valid"},
		{"https to a plain port", strings.Replace(plain.URL, "http:", "https:", 1), ca, "http://"},
		{"http to a TLS port", strings.Replace(withTLS, "https:", "http:", 1), ca, "https://"},
		{"no client certificate", startTLS(t, ours, soon, local, mutual(0)), ca, "client_certificate"},
		{"no client certificate in a folder", startTLS(t, ours, soon, local, mutual(0)), func(c *Config) { ca(c); c.NoClientCertificate = "certs_dir (/certs) has none" }, "certs_dir (/certs) has none. Copy"},
		{"no client certificate, TLS 1.2", startTLS(t, ours, soon, local, mutual(tls.VersionTLS12)), ca, "client_certificate"},
		{"client certificate of another CA", startTLS(t, ours, soon, local, mutual(0)),
			func(c *Config) { ca(c); c.ClientCertificate, c.ClientKey = otherCert, otherKey }, "ca.crt"},
		{"expired client certificate", startTLS(t, ours, soon, local, mutual(0)),
			func(c *Config) { ca(c); c.ClientCertificate, c.ClientKey = pastCert, pastKey }, "be valid at present"},
		{"TLS 1.1 only", startTLS(t, ours, soon, local, func(c *tls.Config) { c.MinVersion, c.MaxVersion = tls.VersionTLS10, tls.VersionTLS11 }), ca, "1.2"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			client := newClientFor(t, c.endpoint, c.change) // with retries, of which TLS failures have none
			_, err := client.QueryServing(t.Context(), "glm")
			if c.hint == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil {
				t.Fatal("no error")
			}
			var e *Error
			if errors.Is(err, ErrTLS) && (!errors.As(err, &e) || e.Attempts != 1) {
				t.Errorf("repeated: %v", err)
			}
			if hint := Hint(err); !strings.Contains(hint, c.hint) {
				t.Errorf("the hint does not contain %s: %q\nfor %v", c.hint, hint, err)
			}
			if strings.Contains(err.Error()+Hint(err), testToken) {
				t.Errorf("the token is in %v", err)
			}
			if !errors.Is(err, ErrTLS) && !strings.Contains(c.name, "client certificate") {
				t.Errorf("not ErrTLS: %v", err)
			}
			err = client.CreateServing(t.Context(), &CreateServingRequest{ServingID: "glm"})
			if errors.Is(err, ErrTLS) && apierror.OutcomeUnknown(err) {
				t.Errorf("the outcome of a refused handshake is unknown: %v", err)
			}
		})
	}
}

// TestPlainHTTPOnTLSPortAndReset: a server that expects TLS resets the connection right after its
// text: the reset may arrive while the text is read.
func TestPlainHTTPOnTLSPortAndReset(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		_, _ = io.WriteString(conn, "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n")
		time.Sleep(20 * time.Millisecond) // the client is reading now
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	}))
	t.Cleanup(server.Close)
	client := newClientFor(t, server.URL)
	err := client.CreateServing(t.Context(), &CreateServingRequest{ServingID: "glm"})
	var e *Error
	if !errors.Is(err, ErrTLS) || !errors.As(err, &e) || e.Attempts != 1 || apierror.OutcomeUnknown(err) {
		t.Errorf("%v", err)
	}
	if hint := Hint(err); !strings.Contains(hint, "Use https://") {
		t.Errorf("the hint is %q, for %v", hint, err)
	}
}

func TestConfigErrors(t *testing.T) {
	a := testcert.NewAuthority(t, "a")
	cert, key := a.Issue(time.Now().Add(time.Hour), "client")
	_, otherKey := a.Issue(time.Now().Add(time.Hour), "client")
	good := func() Config { return Config{Endpoint: "https://kuscia.example:8082"} }
	cases := []struct {
		name   string
		change func(*Config)
		field  string
	}{
		{"good", func(*Config) {}, ""},
		{"key beside it", func(c *Config) { c.CACertificate = slices.Concat(key, a.PEM) }, ""},
		{"path", func(c *Config) { c.Endpoint = "https://gateway.example/kuscia/" }, ""},
		{"pair", func(c *Config) { c.ClientCertificate, c.ClientKey = cert, key }, ""},
		{"no endpoint", func(c *Config) { c.Endpoint = " " }, "Endpoint"},
		{"no scheme", func(c *Config) { c.Endpoint = "kuscia.example:8082" }, "Endpoint"},
		{"password", func(c *Config) { c.Endpoint = "https://me:planted@kuscia.example" }, "Endpoint"},
		{"query", func(c *Config) { c.Endpoint = "https://kuscia.example?token=planted" }, "Endpoint"},
		{"fragment", func(c *Config) { c.Endpoint = "https://kuscia.example#planted" }, "Endpoint"},
		{"token with line break", func(c *Config) { c.Token = "planted\n" }, "Token"},
		{"token with space", func(c *Config) { c.Token = "planted " }, "Token"},
		{"token that no header can have", func(c *Config) { c.Token = "planted\x00é" }, "Token"},
		{"no CA", func(c *Config) { c.CACertificate = []byte("planted") }, "CACertificate"},
		{"key for certificate", func(c *Config) { c.ClientCertificate, c.ClientKey = key, cert }, "ClientCertificate"},
		{"only a certificate", func(c *Config) { c.ClientCertificate = cert }, "ClientKey"},
		{"no host", func(c *Config) { c.Endpoint = "https://:8082" }, "Endpoint"},
		{"password, no address", func(c *Config) { c.Endpoint = "https://me:planted@kus\x7fcia" }, "Endpoint"},
		{"only a key", func(c *Config) { c.ClientKey = key }, "ClientCertificate"},
		{"other key", func(c *Config) { c.ClientCertificate, c.ClientKey = cert, otherKey }, "ClientKey"},
		{"broken key", func(c *Config) {
			c.ClientCertificate, c.ClientKey = cert, bytes.Replace(key, []byte("M"), []byte("A"), 3)
		}, "ClientKey"},
	}
	for _, c := range cases {
		config := good()
		c.change(&config)
		_, err := New(config)
		var configErr *ConfigError
		switch {
		case c.field == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.field == "":
		case !errors.As(err, &configErr) || configErr.Field != c.field:
			t.Errorf("%s: %v, want an error on %s", c.name, err, c.field)
		case strings.Contains(err.Error(), "planted"):
			t.Errorf("%s: a secret is in %v", c.name, err)
		}
	}
}
