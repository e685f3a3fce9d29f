package main

import (
	"bytes"
	"regexp"
	"strconv"
)

// modulePath begins the path of every package of the repository.
const modulePath = "github.com/terraform-kuscia/terraform-provider-kuscia"

// resultPattern is go test's line about a package.
var resultPattern = regexp.MustCompile(`^(?:ok  |FAIL)\t` + regexp.QuoteMeta(modulePath) + `/?(\S*)\t(?:([0-9.]+)s|\(cached\))`)

// results are read from the output of go test.
type results struct {
	// seconds by folder, of all runs of a package together.
	seconds map[string]float64
	// cached counts the results that go test took from its cache.
	cached int

	incomplete []byte
}

// Write reads a part of the output.
func (r *results) Write(output []byte) (int, error) {
	r.incomplete = append(r.incomplete, output...)
	for {
		line, rest, ok := bytes.Cut(r.incomplete, []byte("\n"))
		if !ok {
			return len(output), nil
		}
		r.add(string(line))
		r.incomplete = rest
	}
}

func (r *results) add(line string) {
	found := resultPattern.FindStringSubmatch(line)
	switch {
	case found == nil:
	case found[2] == "":
		r.cached++
	default:
		if r.seconds == nil {
			r.seconds = map[string]float64{}
		}
		seconds, _ := strconv.ParseFloat(found[2], 64) // the pattern has digits only
		folder := found[1]
		if folder == "" {
			folder = "."
		}
		r.seconds[folder] += seconds
	}
}
