// Package server is the KusciaAPI of one node without its objects: paths,
// requests, envelopes, who may ask what, and the store that objects share. An
// object registers its operations and what the state file keeps in an Object.
package server
