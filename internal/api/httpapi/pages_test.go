package httpapi

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestSlowList: a list ends whose pages are empty and come late, also if it is read again.
func TestSlowList(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var list Pages
		began := time.Now()
		for n := 0; ; n++ {
			err := list.Add(Document{}, 0, 100)
			if time.Since(began) > time.Hour {
				t.Fatal("it does not end")
			}
			if errors.Is(err, ErrListTooSlow) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if n == 3 {
				list.Again()
			}
			time.Sleep(29 * time.Second)
		}
		if took := time.Since(began); took < maxListTime || took > maxListTime+30*time.Second {
			t.Errorf("it ended after %s", took)
		}
	})
}
