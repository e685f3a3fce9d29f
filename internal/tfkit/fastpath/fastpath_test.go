package fastpath

import (
	"bytes"
	"context"
	"math"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/vmihailenco/msgpack/v5"
)

func TestLogsWanted(t *testing.T) {
	t.Parallel()
	for variable, want := range map[string]bool{
		"HOME=/root": false, "TF_LOG=": false, "TF_LOG=off": false, "TF_LOG=OFF": false, "TF_LOG_PATH=x": false, "TF_LOG_PATH_MASK=x": false,
		"TF_LOGGING=debug": false, "TF_PLUGIN_CACHE_DIR=x": false,
		"TF_LOG=debug": true, "TF_LOG=JSON": true, "TF_LOG_PROVIDER=trace": true, "TF_LOG_PROVIDER_KUSCIA=info": true,
		"TF_LOG_SDK=warn": true, "TF_LOG_SDK_PROTO_DATA_DIR=x": true, "TF_LOG_CORE=debug": true, "TF_ACC_LOG=1": true,
		"TF_ACC_LOG_PATH=x": true, "TF_TEMP_LOG_PATH=x": true,
	} {
		if got := LogsEnabled([]string{"A=b", variable, "TF_LOG_PATH=y"}); got != want {
			t.Errorf("%s: %t, want %t", variable, got, want)
		}
	}
}

func TestSilenceLogs(t *testing.T) {
	for _, name := range []string{"TF_LOG_SDK", "TF_LOG_SDK_PROTO", "TF_LOG_SDK_FRAMEWORK", "TF_LOG_PROVIDER_KUSCIA"} {
		t.Setenv(name, "")
	}
	if err := SilenceLogs("kuscia"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"TF_LOG_SDK", "TF_LOG_SDK_PROTO", "TF_LOG_SDK_FRAMEWORK", "TF_LOG_PROVIDER_KUSCIA"} {
		if os.Getenv(name) != "off" {
			t.Errorf("%s is %q", name, os.Getenv(name))
		}
	}
}

type key struct{}

// TestReleasedContext: after its release a context has no values, which are collected, but still
// its deadline and cancellation.
func TestReleasedContext(t *testing.T) {
	t.Parallel()
	parent, cancel := context.WithTimeout(context.WithValue(t.Context(), key{}, "value"), time.Hour)
	h := newReleasableContext(parent)
	if h.Value(key{}) != "value" || h.Err() != nil {
		t.Errorf("value %v, error %v", h.Value(key{}), h.Err())
	}
	h.release()
	if _, ok := h.Deadline(); !ok || h.Value(key{}) != nil || h.Err() != nil {
		t.Errorf("released: deadline %t, value %v, error %v", ok, h.Value(key{}), h.Err())
	}
	cancel()
	<-h.Done()
	if h.Err() == nil {
		t.Error("the cancellation is lost")
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	for name, encoded := range map[string][]byte{
		"empty": {}, "null": {null}, "text": {0xa1, 'a'}, "cut off": {0x81, 0xa1, 'a'},
		"unknown": {0x81, 0xa1, 'a', 0xd4, 0, 0}, "refined unknown": {0x81, 0xa1, 'a', 0xc7, 1, 12, 0x80}, "more behind": {0x81, 0xa1, 'a', 1, 1},
	} {
		if got := decode(encoded); got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := decode([]byte{0x82, 0xa1, 'a', 1, 0xa1, 'b', null}); len(got) != 2 || got["a"] != int64(1) || got["b"] != nil {
		t.Errorf("%v", got)
	}
}

// TestDecodeWholeNumbers: msgpack encodes whole numbers from 128 on as
// unsigned; decode returns them in the same type as all others.
func TestDecodeWholeNumbers(t *testing.T) {
	t.Parallel()
	for _, number := range []int64{0, 1, 127, 128, 200, 255, 256, 65535, 65536, math.MaxUint32, math.MaxUint32 + 1, math.MaxInt64, -1, -128, math.MinInt64} {
		for form, value := range map[string]any{"signed": number, "compact": uint64(max(number, 0))} {
			if number < 0 && form == "compact" {
				continue
			}
			var encoded bytes.Buffer
			encoder := msgpack.NewEncoder(&encoded)
			encoder.UseCompactInts(true)
			if err := encoder.Encode(map[string]any{"n": value, "parties": []any{map[string]any{"replicas": value}, value}}); err != nil {
				t.Fatal(err)
			}
			want := map[string]any{"n": number, "parties": []any{map[string]any{"replicas": number}, number}}
			if got := decode(encoded.Bytes()); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %#v, want %#v", form, got, want)
			}
		}
	}
	if got := decode([]byte{0x81, 0xa1, 'n', 0xcf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}); got["n"] != uint64(math.MaxUint64) {
		t.Errorf("beyond the range: %#v", got)
	}
}

// TestIdentity: equal identities have equal bytes, despite the random order of maps.
func TestIdentity(t *testing.T) {
	t.Parallel()
	first, _ := encodeIdentity(map[string]string{"id": "1", "instance_id": "2", "a": "3", "z": "4"})
	for id, same := range map[string]bool{"1": true, "2": false} {
		for range 20 {
			again, err := encodeIdentity(map[string]string{"a": "3", "z": "4", "instance_id": "2", "id": id})
			current := &tfprotov6.ResourceIdentityData{IdentityData: &tfprotov6.DynamicValue{MsgPack: again}}
			if err != nil || sameIdentity(current, first) != same {
				t.Fatalf("id %s: %v, want the same %t", id, err, same)
			}
		}
	}
}
