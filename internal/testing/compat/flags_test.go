package compat_test

import "flag"

var (
	update = flag.Bool("update", false, "write testdata/schema.json anew")
	record = flag.String("record", "", "keep schema and state of this release, such as 0.1.0, in testdata/releases")
)
