package httpapi

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/terraform-kuscia/terraform-provider-kuscia/internal/testing/testjson"
)

// largeConfig is a configuration text of about that size with many different strings.
func largeConfig(size int) string {
	values := make([]string, 0, size/17)
	for i := range cap(values) {
		values = append(values, fmt.Sprintf("https://%06d", i))
	}
	return testjson.Text(values)
}

// cpuTime is the processor time that this thread has used, which other processes disturb little. On
// systems other than Linux it is the time that has passed.
var cpuTime = func() time.Duration { return time.Since(testStart) }

var testStart = time.Now()

// TestMaskingIsLinear: to mask four times the text with all strings of a configuration
// of four times the size takes about four times as long, even for adversarial input.
func TestMaskingIsLinear(t *testing.T) {
	t.Parallel()
	runtime.LockOSThread() // see cpuTime
	defer runtime.UnlockOSThread()
	for name, input := range map[string]func(size int) (config, text string){
		"many texts": func(size int) (string, string) { return largeConfig(size), strings.Repeat("https://9 ", size/10) },
		"nested texts": func(size int) (string, string) {
			var alike []string
			for length := 8; size > length*len(alike)/2; length++ {
				alike = append(alike, strings.Repeat("a", length))
			}
			return testjson.Encode(t, alike), strings.Repeat(strings.Repeat("a", 7)+"b", size/8)
		},
		"one long text": func(size int) (string, string) { return strings.Repeat("a", size*6/7), strings.Repeat("a", size) },
	} {
		run := func(size int) time.Duration {
			config, text := input(size)
			began := cpuTime()
			NewMasker("token").With(config).replace(text)
			return cpuTime() - began
		}
		// The shortest runs are those that other processes disturb least; on a busy machine
		// it takes some until one is not disturbed.
		small, large := run(1<<16), run(1<<18)
		for began := time.Now(); large > 10*small && time.Since(began) < 20*time.Second; {
			small, large = min(small, run(1<<16)), min(large, run(1<<18))
		}
		if large > 10*small {
			t.Errorf("%s: %s, and %s for four times the size", name, small, large)
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
		got := newSearcher(secrets...).mask(text, len(text))
		if shown := strings.ReplaceAll(got, masked, ""); shown != want.String() {
			t.Fatalf("%q becomes %q, and %q is to be left", text, got, want.String())
		}
	})
}

// TestMaskFindsEveryForm: a secret is masked in each form in which a server may return it, also
// within a longer encoded text, where a long message is cut, and in the log of a body.
func TestMaskFindsEveryForm(t *testing.T) {
	t.Parallel()
	again := func(text string) string { return strings.Trim(testjson.Text(text), `"`) }
	for _, secret := range []string{"pl4n", "pl4nted-t0ken", `p"l\4/nted+t0<k>&n`, "pl4nted\nsecond line", "plänted 秘密 \U0001f600", strings.Repeat("l0ng ünd/", 700)} {
		m := NewMasker(secret)
		forms := []string{fmt.Sprintf("%+q", secret), strconv.Quote(secret), again(again(again(secret))), again(again(again(again(secret))))}
		for _, sent := range []string{secret, again(secret), again(again(secret))} {
			around := []byte("xyz" + sent + "xyz")
			forms = append(forms, sent, url.QueryEscape(sent), url.PathEscape(sent),
				regexp.MustCompile("%..").ReplaceAllStringFunc(url.QueryEscape(sent), strings.ToLower), hex.EncodeToString(around), strings.ToUpper(hex.EncodeToString(around)))
			for offset := range 3 {
				forms = append(forms, base64.StdEncoding.EncodeToString(around[offset:]), base64.URLEncoding.EncodeToString(around[offset:]))
			}
		}
		for _, form := range forms {
			for _, before := range []int{0, MaxMessage - len(form)/2, MaxMessage - 3, maxMasked - len(form)/2, maxMasked - 2} {
				if before < 0 {
					continue
				}
				text := m.Text(strings.Repeat("-", before) + form + strings.Repeat("-", MaxMessage))
				shown := strings.Trim(strings.TrimSuffix(text, " … (cut off)"), "-")
				if len(shown) > 18 || before == 0 && !strings.Contains(shown, masked) {
					t.Errorf("%.20q as %.60q after %d bytes: %.80q", secret, form, before, shown)
				}
			}
		}
		if body := m.body([]byte(`{"a":`+testjson.Text("\u202e\u009b"+secret)+`}`), nil); strings.ContainsAny(body, "\u202e\u009b") || strings.Contains(body, again(secret)) {
			t.Errorf("the log has %.80q", body)
		}
	}
	if text := NewMasker("abc").Text("abc is the beginning of an alphabet"); strings.Contains(text, masked) {
		t.Errorf("a short secret shreds a message: %s", text)
	}
}
