package fastpath

import (
	"bytes"
	"testing"
)

// TestEncodeIdentity: equal identities have equal bytes, despite the random
// order of Go's maps.
func TestEncodeIdentity(t *testing.T) {
	t.Parallel()
	identity := map[string]string{"id": "1", "instance_id": "2", "a": "3", "z": "4"}
	first, err := encodeIdentity(identity)
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if again, _ := encodeIdentity(identity); !bytes.Equal(first, again) {
			t.Fatalf("%x, then %x", first, again)
		}
	}
}
