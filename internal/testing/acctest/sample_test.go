package acctest

import "testing"

// TestSample: the short tests run some of the cases, the long ones all.
func TestSample(t *testing.T) {
	t.Parallel()
	cases := map[string]int{"a": 1, "b": 2, "c": 3}
	want := 2
	if !testing.Short() {
		want = len(cases)
	}
	drawn := Sample(t, 2, cases)
	if len(drawn) != want || len(cases) != 3 {
		t.Errorf("the sample is %v of %v", drawn, cases)
	}
	for name, value := range drawn {
		if cases[name] != value {
			t.Errorf("%s is %d", name, value)
		}
	}
	if all := Sample(t, 5, cases); len(all) != 3 {
		t.Errorf("the sample is %v", all)
	}
}
