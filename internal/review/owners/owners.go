// Package owners reads who is asked for a domain, from a CODEOWNERS file in which each organization
// owns the files of its domain.
package owners

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
)

// maxFile is the size up to which a file is read, that of GitHub.
const maxFile = 3 << 20

// Owners are the owners of domains.
type Owners struct {
	rules []rule
}

type rule struct {
	domain string // "*" for all
	owners []string
}

// Read reads a CODEOWNERS file. A line is about a domain if its pattern ends with it: a folder such as
// /domains/bob/, or a file such as /bob.tf. As for files, the last line that fits counts.
func Read(r io.Reader) (*Owners, error) {
	content, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the owners: %w", err)
	case len(content) > maxFile:
		return nil, errors.New("the file with the owners is larger than 3 MiB")
	}
	var o Owners
	lines := bufio.NewScanner(strings.NewReader(string(content)))
	lines.Buffer(nil, maxFile)
	for lines.Scan() {
		line, _, _ := strings.Cut(lines.Text(), " #")
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") || strings.HasPrefix(fields[0], "[") || strings.HasPrefix(fields[0], "^[") { // sections of GitLab
			continue
		}
		pattern := strings.TrimSuffix(strings.TrimSuffix(fields[0], "**"), "/")
		domain := path.Base(pattern)
		domain = strings.TrimSuffix(domain, path.Ext(domain))
		o.rules = append(o.rules, rule{domain: domain, owners: fields[1:]})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading the owners: %w", err)
	}
	return &o, nil
}

// Of are the owners of a domain; none if the file has none.
func (o *Owners) Of(domain string) []string {
	if o == nil {
		return nil
	}
	for _, r := range slices.Backward(o.rules) {
		if r.domain == domain || r.domain == "*" {
			return r.owners
		}
	}
	return nil
}
