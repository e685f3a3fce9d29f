// Package functions has the provider's functions. They are pure: they ask no
// server, need no provider block, and work in any expression.
package functions
