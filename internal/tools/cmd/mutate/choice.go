//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// choice is what a run judges.
type choice struct {
	// packages are built with mutants, and those that are judged are some of them.
	packages, judged []source
	// tests are patterns of packages with tests.
	tests []string
	// recorded are the shares of the file.
	recorded shares
}

// choose reads the shares. To compare them, it chooses the packages that changed, with the tests that
// killed their mutants before.
func choose(ctx context.Context, o options, only *regexp.Regexp, log io.Writer) (choice, error) {
	c := choice{tests: strings.Fields(o.tests)}
	all, err := sources(ctx, o.root, strings.Fields(o.packages))
	switch {
	case err != nil:
		return c, err
	case len(all) == 0:
		return c, fmt.Errorf("no packages in %s", o.packages)
	case o.compare:
		err = c.compare(o, all, log)
	default:
		c.packages = all
	}
	for _, p := range c.packages {
		if only.MatchString(p.name) {
			c.judged = append(c.judged, p)
		}
	}
	if o.shares != "" && !o.compare && err == nil {
		err = c.keep(o)
	}
	return c, err
}

// compare chooses what changed since the shares were recorded.
func (c *choice) compare(o options, all []source, log io.Writer) (err error) {
	c.recorded, err = readShares(o.shares)
	if err == nil {
		err = c.recorded.covers(o.head(), all)
	}
	if err != nil {
		return fmt.Errorf("%s: %w (make mutation)", o.shares, err)
	}
	c.packages, c.tests = c.recorded.changed(all), nil
	for _, p := range c.packages {
		for _, name := range append([]string{p.name}, c.recorded.rows[p.name].by...) {
			if _, err := os.Stat(filepath.Join(o.root, filepath.FromSlash(name))); err == nil { // it may be gone
				c.tests = append(c.tests, "./"+name)
			}
		}
	}
	fmt.Fprintf(log, "%d of %d packages changed since their result in %s.\n", len(c.packages), len(all), o.shares)
	return nil
}

// keep reads the rows of the packages that are not judged.
func (c *choice) keep(o options) error {
	var err error
	if c.recorded, err = readShares(o.shares); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, p := range c.packages {
		_, known := c.recorded.rows[p.name]
		if !slices.Contains(c.judged, p) && (!known || c.recorded.head != o.head()) {
			return fmt.Errorf("%s has no result of %s with this sample: judge all packages, or write no shares (-shares=)", o.shares, p.name)
		}
	}
	return nil
}

func (c choice) patterns() []string {
	var patterns []string
	for _, p := range c.packages {
		patterns = append(patterns, "./"+p.name)
	}
	return patterns
}

// settle compares a report with the shares, or writes them.
func (c choice) settle(o options, r report) error {
	now := newShares(o.head(), c.judged, r)
	switch {
	case o.shares == "":
		return nil
	case !o.compare:
		for _, p := range c.packages {
			if !slices.Contains(c.judged, p) {
				now.rows[p.name] = c.recorded.rows[p.name]
			}
		}
		return now.write(o.shares)
	}
	if lower := c.recorded.lower(now); lower != nil {
		return fmt.Errorf("a lower share of mutants is killed, those that are alive are above: %q", lower)
	}
	return nil
}
