package ief

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

const (
	algorithm           = "SDK-HMAC-SHA256"
	dateFormat          = "20060102T150405Z"
	headerDate          = "X-Sdk-Date"
	headerToken         = "X-Auth-Token" //nolint:gosec // the name of a header
	headerSecurityToken = "X-Security-Token"
	headerProject       = "X-Project-Id"
	// HeaderInstance selects the service instance of the enterprise (platinum)
	// edition; the professional edition has none.
	HeaderInstance = "ief-instance-id"
)

// Sign signs a request with an access key: the header Authorization covers the
// method, the path, the query, the body and every header except Content-Type.
// It sets the date header.
func Sign(request *http.Request, body []byte, accessKey, secretKey string, now time.Time) {
	request.Header.Set(headerDate, now.UTC().Format(dateFormat))
	names := signedHeaders(request.Header)
	request.Header.Set("Authorization", fmt.Sprintf("%s Access=%s, SignedHeaders=%s, Signature=%s",
		algorithm, accessKey, strings.Join(names, ";"), signature(request, body, names, secretKey)))
}

// VerifySignature checks the signature of a request as the service does. The
// test server uses it.
func VerifySignature(request *http.Request, body []byte, secretKey string) error {
	fields, ok := strings.CutPrefix(request.Header.Get("Authorization"), algorithm+" ")
	if !ok {
		return fmt.Errorf("the header Authorization is not of the form %s", algorithm)
	}
	values := map[string]string{}
	for field := range strings.SplitSeq(fields, ", ") {
		key, value, _ := strings.Cut(field, "=")
		values[key] = value
	}
	names := strings.Split(values["SignedHeaders"], ";")
	if !slices.Contains(names, strings.ToLower(headerDate)) {
		return fmt.Errorf("%s is not signed", headerDate)
	}
	if want := signature(request, body, names, secretKey); !hmac.Equal([]byte(want), []byte(values["Signature"])) {
		return fmt.Errorf("the signature does not match the request")
	}
	return nil
}

// AccessKeyOf returns the access key with which a request was signed, or "".
func AccessKeyOf(request *http.Request) string {
	_, rest, _ := strings.Cut(request.Header.Get("Authorization"), "Access=")
	key, _, _ := strings.Cut(rest, ",")
	return key
}

func signature(request *http.Request, body []byte, names []string, secretKey string) string {
	canonical := strings.Join([]string{
		request.Method, canonicalPath(request.URL.Path), canonicalQuery(request.URL.Query()),
		canonicalHeaders(request.Header, names), strings.Join(names, ";"), hexHash(body),
	}, "\n")
	text := strings.Join([]string{algorithm, request.Header.Get(headerDate), hexHash([]byte(canonical))}, "\n")
	mac := hmac.New(sha256.New, []byte(secretKey))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

// unsignedHeaders are headers that proxies set or change.
var unsignedHeaders = []string{"authorization", "user-agent", "accept", "accept-encoding"}

func signedHeaders(headers http.Header) []string {
	var names []string
	for name := range headers {
		name = strings.ToLower(name)
		if !strings.HasPrefix(name, "content-type") && !slices.Contains(unsignedHeaders, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func canonicalPath(path string) string {
	segments := strings.Split(path, "/")
	for i := range segments {
		segments[i] = escape(segments[i])
	}
	joined := strings.Join(segments, "/")
	if !strings.HasSuffix(joined, "/") {
		joined += "/"
	}
	return joined
}

func canonicalQuery(query url.Values) string {
	var pairs []string
	for _, name := range sortedKeys(query) {
		for _, value := range slices.Sorted(slices.Values(query[name])) {
			pairs = append(pairs, escape(name)+"="+escape(value))
		}
	}
	return strings.Join(pairs, "&")
}

func canonicalHeaders(headers http.Header, names []string) string {
	var text strings.Builder
	for _, name := range names {
		for _, value := range slices.Sorted(slices.Values(headers.Values(name))) {
			text.WriteString(name + ":" + strings.TrimSpace(value) + "\n")
		}
	}
	return text.String()
}

func hexHash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// escape implements RFC 3986: url.QueryEscape would encode a space as "+".
func escape(text string) string {
	return strings.ReplaceAll(url.QueryEscape(text), "+", "%20")
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
