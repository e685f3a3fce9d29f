package compat_test

import "flag"

var record = flag.String("record", "", "keep the state of this release, such as 0.1.0, in testdata/releases")
