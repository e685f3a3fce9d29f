package kuscia

import (
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// recordedServing is a response with a running serving with two parties.
func recordedServing(b *testing.B) []byte {
	b.Helper()
	var longest []byte
	for _, item := range readTranscript(b, "testdata/transcripts/serving-1-lifecycle.json") {
		if item.Request != nil && strings.HasSuffix(item.Request.URL, "/serving/query") && len(item.Response) > len(longest) {
			longest = item.Response
		}
	}
	return longest
}

// BenchmarkDecodeServing decodes the response to a refresh.
func BenchmarkDecodeServing(b *testing.B) {
	body := recordedServing(b)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		document, err := httpapi.NewDocument(body)
		if err != nil {
			b.Fatal(err)
		}
		_, data, err := decodeEnvelope(document)
		if err != nil {
			b.Fatal(err)
		}
		var serving Serving
		if err := data.Decode(&serving); err != nil || len(serving.Parties) == 0 {
			b.Fatal(err)
		}
	}
}

// BenchmarkNewDocument is the part of it that bounds the response.
func BenchmarkNewDocument(b *testing.B) {
	body := recordedServing(b)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := httpapi.NewDocument(body); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkQueryServing is a whole call without a network.
func BenchmarkQueryServing(b *testing.B) {
	client, err := New(Config{Endpoint: "http://kuscia.invalid", Token: testToken})
	if err != nil {
		b.Fatal(err)
	}
	client.api.HTTP().Transport = &oneResponse{code: 200, body: string(recordedServing(b))}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := client.QueryServing(b.Context(), "serving-1"); err != nil {
			b.Fatal(err)
		}
	}
}
