package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// largeConfig is a configuration text of 0.9 MB with many different strings.
func largeConfig() string {
	values := make([]string, 0, 60_000)
	for i := range cap(values) {
		values = append(values, fmt.Sprintf("https://%06d", i))
	}
	encoded, err := json.Marshal(values)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

// TestMaskingIsLinear: masking 1 MiB of text with all strings of a large
// configuration is fast, even for adversarial input. The limit is far above the time
// that it takes with the race detector on a busy machine.
func TestMaskingIsLinear(t *testing.T) {
	t.Parallel()
	alike := make([]string, 1300)
	for i := range alike {
		alike[i] = strings.Repeat("a", i+8)
	}
	encoded, err := json.Marshal(alike)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ config, text string }{
		"many texts":     {largeConfig(), strings.Repeat("https://9 ", 1<<20/10)},
		"all of them":    {largeConfig(), largeConfig() + "x"},
		"nested texts":   {string(encoded), strings.Repeat(strings.Repeat("a", 7)+"b", 1<<20/8)},
		"one long text":  {strings.Repeat("a", 900_000), strings.Repeat("a", 1<<20)},
		"almost as long": {strings.Repeat("a", 900_000) + "b", strings.Repeat("a", 1<<20)},
		"long lines":     {strings.Repeat(strings.Repeat("a", 5000)+"\n", 180), strings.Repeat("a", 1<<20)},
	} {
		began := time.Now()
		NewMasker("token").With(test.config).Text(test.text)
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%s: %s", name, took)
		}
	}
}

// TestMaskFindsEveryText: the result equals that of a separate search for each
// text.
func TestMaskFindsEveryText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		secrets := rapid.SliceOfN(rapid.StringMatching(`[abc]{1,5}`), 1, 6).Draw(t, "secrets")
		text := rapid.StringMatching(`[abcd]{0,40}`).Draw(t, "text")
		hidden := make([]bool, len(text))
		for _, secret := range secrets {
			for i := range text {
				if strings.HasPrefix(text[i:], secret) {
					for j := range len(secret) {
						hidden[i+j] = true
					}
				}
			}
		}
		var want bytes.Buffer
		for i := range text {
			if !hidden[i] {
				want.WriteByte(text[i])
			}
		}
		got := newSearcher(secrets).mask(text)
		if shown := strings.ReplaceAll(got, masked, ""); shown != want.String() {
			t.Fatalf("%q becomes %q, and %q is to be left", text, got, want.String())
		}
	})
}

// BenchmarkMask masks a message of 1 MiB with a configuration of 0.9 MB.
func BenchmarkMask(b *testing.B) {
	config, text := largeConfig(), strings.Repeat("https://000001 ", 1<<20/15)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		NewMasker("token").With(config).Text(text)
	}
}
