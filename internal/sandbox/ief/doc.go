// Package ief is a server on loopback that stands in for the deployment API of
// Huawei Cloud's Intelligent EdgeFabric, versions v2 and v3, in tests and as a
// part of the program kuscia-sandbox.
//
// It is written from the vendor's documents and their examples. No live service
// was at hand, so that nothing here is recorded from one. Where the documents
// are silent it does what is hardest for a client: names may be taken twice, a
// list may be read in the middle of a change, instances of the time before an
// update still run for a while after it.
package ief
