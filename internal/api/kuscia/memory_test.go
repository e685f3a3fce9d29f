package kuscia

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/api/httpapi"
)

// fill repeats a piece up to the maximum size of a response.
func fill(before, piece, after string) []byte {
	n := (httpapi.MaxResponseSize - len(before) - len(after)) / len(piece)
	return []byte(before + strings.TrimSuffix(strings.Repeat(piece, n), ",") + after)
}

// TestResponsesTakeBoundedMemory: no response needs more than 200 MiB, even if it
// was compressed. The total allocation is an upper bound of the memory in use.
func TestResponsesTakeBoundedMemory(t *testing.T) {
	const limit = 200 << 20
	inShort := []string{"empty parties", "party statuses", "containers at the bound", "a long message"}
	ok := `{"status":{"code":0},"data":`
	query := func(ctx context.Context, c *Client) error { _, err := c.QueryServing(ctx, "glm"); return err }
	statuses := func(ctx context.Context, c *Client) error {
		_, err := c.BatchQueryServingStatus(ctx, []string{"glm"})
		return err
	}
	images := func(ctx context.Context, c *Client) error { _, err := c.ListAppImages(ctx, 100, ""); return err }
	containers := `{"appimage_list":[{"deploy_templates":[{"containers":[`
	for name, test := range map[string]struct {
		body []byte
		call func(context.Context, *Client) error
	}{
		"empty parties":           {fill(ok+`{"parties":[`, `{},`, `]}}`), query},
		"parties at the bound":    {[]byte(ok + `{"initiator":"` + strings.Repeat("x", 12<<20) + `","parties":[` + strings.TrimSuffix(strings.Repeat(`{},`, 99000), ",") + `]}}`), query},
		"lists in lists":          {fill(ok+`{"parties":[`, `[],`, `]}}`), query},
		"empty resources":         {fill(ok+`{"parties":[{"resources":[`, `{},`, `]}]}}`), query},
		"a long text":             {fill(ok+`{"parties":[],"serving_input_config":"`, `x`, `"}}`), query},
		"escaped text":            {fill(ok+`{"parties":[],"serving_input_config":"`, `\u0041`, `"}}`), query},
		"not UTF-8":               {fill(ok+`{"parties":[],"serving_input_config":"`, "\xff", `"}}`), query},
		"many keys":               {fill(ok+`{"parties":[],"more":{`, `"k":0,`, `}}}`), query},
		"empty statuses":          {fill(ok+`{"servings":[`, `{},`, `]}}`), statuses},
		"party statuses":          {fill(ok+`{"servings":[{"serving_id":"glm","status":{"party_statuses":[`, `{},`, `]}}]}}`), statuses},
		"empty app images":        {fill(ok+`{"appimage_list":[`, `{},`, `]}}`), images},
		"empty containers":        {fill(ok+containers, `{},`, `]}]}]}}`), images},
		"containers at the bound": {[]byte(ok + containers + strings.TrimSuffix(strings.Repeat(`{},`, 99000), ",") + `]}]}]}}`), images},
		"config templates":        {[]byte(ok + `{"appimage_list":[{"config_templates":{` + manyMembers(349_000) + `}}]}}`), images},
		"a long message":          {fill(`{"status":{"code":1,"message":"`, "\x1b[0m\u202e", `"}}`), query},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && !slices.Contains(inShort, name) {
				t.Skip("the short tests run one case of each kind")
			}
			if len(test.body) > httpapi.MaxResponseSize {
				t.Fatalf("%d bytes", len(test.body))
			}
			var packed bytes.Buffer
			w := gzip.NewWriter(&packed)
			if _, err := w.Write(test.body); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			client := newTestClient(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Encoding", "gzip")
				_, _ = w.Write(packed.Bytes())
			}), func(c *Config) { c.MaxRetries = 0 })
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := test.call(t.Context(), client)
			runtime.ReadMemStats(&after)
			grown := after.TotalAlloc - before.TotalAlloc
			t.Logf("%d KiB packed, %d MiB, %d MiB allocated: %.100v", packed.Len()>>10, len(test.body)>>20, grown>>20, err)
			if grown > limit {
				t.Errorf("%d MiB were allocated", grown>>20)
			}
		})
	}
}

// manyMembers are members of an object with different names.
func manyMembers(n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"`)
		for rest := i; ; rest /= 26 {
			b.WriteByte(byte('a' + rest%26))
			if rest < 26 {
				break
			}
		}
		b.WriteString(`":""`)
	}
	return b.String()
}
