// Package faults gets in the way of a server for tests: it drops, delays and
// replaces answers, and records every request. It knows no product: what an
// error of the server looks like, the Product says.
package faults
