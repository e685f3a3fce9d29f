// Package functions has the provider's functions. They are pure: they send no
// requests, need no provider block, and work in any expression.
package functions
