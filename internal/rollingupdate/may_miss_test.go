package rollingupdate

import "testing"

// TestMayMiss: as Kubernetes resolves the bounds of a rolling update.
func TestMayMiss(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		desired            int
		surge, unavailable string
		missing            int
		known              bool
	}{
		"a part is rounded down":                  {7, "25%", "25%", 1, true},
		"a hundredth of fewer than a hundred":     {99, "1", "1%", 0, true},
		"less than one pod, with one in addition": {3, "25%", "25%", 0, true},
		"nothing of both":                         {3, "0", "0", 1, true},
		"less than one pod, with none":            {3, "0%", "25%", 1, true},
		"a small part in addition is one pod":     {3, "1%", "0", 0, true},
		"all":                                     {3, "0", "100%", 3, true},
		"a number":                                {5, "1", "2", 2, true},
		"more than there are":                     {2, "0", "3", 3, true},
		"no bound of missing pods":                {3, "1", "", 3, false},
		"no bound of both":                        {3, "?", "?", 3, false},
		"an unknown bound of additional pods":     {3, "?", "0", 0, false},
		"less than none":                          {3, "1", "-1", 3, false},
		"less than none in addition":              {3, "-1", "0", 0, false},
		"the largest number":                      {3, "0", "1048576", 1048576, true},
		"larger":                                  {3, "0", "1048577", 3, false},
	} {
		if missing, known := MayMiss(c.desired, c.surge, c.unavailable); missing != c.missing || known != c.known {
			t.Errorf("%s: %d of %d may be missing, known: %t; want %d, %t", name, missing, c.desired, known, c.missing, c.known)
		}
	}
}
