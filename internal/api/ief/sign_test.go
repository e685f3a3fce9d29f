package ief

import (
	"bytes"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testfile"
)

// TestSign compares signatures with those of the vendor's signer, which made
// the vectors in testdata (huaweicloud-sdk-go-v3, core/auth/signer).
func TestSign(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			request := v.request(t)
			Sign(request, []byte(v.Body), v.AccessKey, v.SecretKey, v.time(t))
			if got := request.Header.Get("Authorization"); got != v.Authorization {
				t.Errorf("%s\nwant %s", got, v.Authorization)
			}
			if err := VerifySignature(request, []byte(v.Body), v.SecretKey); err != nil {
				t.Error(err)
			}
			if got := AccessKeyOf(request); got != v.AccessKey {
				t.Errorf("access key %q", got)
			}
		})
	}
}

// TestVerifySignature: a change of any signed part is detected.
func TestVerifySignature(t *testing.T) {
	t.Parallel()
	v := vectors(t)[5]
	for name, change := range map[string]func(*http.Request, *[]byte){
		"method":     func(r *http.Request, _ *[]byte) { r.Method = http.MethodDelete },
		"query":      func(r *http.Request, _ *[]byte) { r.URL.RawQuery = "force_delete=true" },
		"header":     func(r *http.Request, _ *[]byte) { r.Header.Set(HeaderInstance, "other") },
		"date":       func(r *http.Request, _ *[]byte) { r.Header.Set(headerDate, "20250102T030405Z") },
		"body":       func(_ *http.Request, body *[]byte) { *body = []byte(`{}`) },
		"other form": func(r *http.Request, _ *[]byte) { r.Header.Set("Authorization", "Bearer x") },
		"no date": func(r *http.Request, _ *[]byte) {
			r.Header.Set("Authorization", algorithm+" Access=A, SignedHeaders=host, Signature=0")
		},
		"own secrets": func(r *http.Request, _ *[]byte) { Sign(r, []byte(v.Body), v.AccessKey, "guessed", time.Now()) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			request, body := v.request(t), []byte(v.Body)
			Sign(request, body, v.AccessKey, v.SecretKey, v.time(t))
			change(request, &body)
			if VerifySignature(request, body, v.SecretKey) == nil {
				t.Error("accepted")
			}
		})
	}
}

type vector struct {
	Name, Method, Path, Body, Authorization string
	Query, Headers                          map[string]string
	AccessKey                               string `json:"access_key"`
	SecretKey                               string `json:"secret_key"`
}

func vectors(t *testing.T) []vector {
	t.Helper()
	all := testfile.JSON[[]vector](t, "testdata/signatures.json")
	if len(all) != 11 {
		t.Fatal(len(all))
	}
	return all
}

func (v vector) request(t *testing.T) *http.Request {
	t.Helper()
	query := url.Values{}
	for name, value := range v.Query {
		query.Set(name, value)
	}
	address := url.URL{Scheme: "https", Host: "ief.example", Path: v.Path, RawQuery: canonicalQuery(query)}
	request, err := http.NewRequestWithContext(t.Context(), v.Method, address.String(), bytes.NewReader([]byte(v.Body)))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range v.Headers {
		request.Header.Set(name, value)
	}
	return request
}

func (v vector) time(t *testing.T) time.Time {
	t.Helper()
	at, err := time.Parse(dateFormat, v.Headers[headerDate])
	if err != nil {
		t.Fatal(err)
	}
	return at
}
