// Package printable makes texts of others harmless where they are printed: on a terminal, in
// the log of a CI job, and in a comment. It knows no secrets; see httpapi.Masker.
package printable
