package user_test

import (
	"testing"

	_ "example.com/tiny/kinds"
	"example.com/tiny/rules"
)

func TestNegative(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]bool{-1: true, 0: false, 1: false} {
		if rules.Negative(n) != want {
			t.Error(n)
		}
	}
}

func TestOld(t *testing.T) {
	t.Parallel()
	t.Run("young/old", func(t *testing.T) {
		t.Parallel()
		if rules.Old(20) || !rules.Old(80) {
			t.Error("wrong age")
		}
	})
	t.Run("young", func(t *testing.T) {
		t.Parallel()
		t.Run("very", func(*testing.T) {})
	})
}

func TestCount(t *testing.T) {
	t.Parallel()
	if rules.Count(3) != 3 {
		t.Error("wrong count")
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	if rules.Check(true) != nil {
		t.Error("not ok")
	}
	_ = rules.Check(false)
}

// A test that fails without a mutant kills none.
func TestBroken(t *testing.T) {
	t.Parallel()
	rules.Old(65)
	t.Error("always")
}
