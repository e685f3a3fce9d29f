// Package ief is a loopback server that simulates the deployment API of Huawei
// Cloud's Intelligent EdgeFabric, versions v2 and v3, in tests and as a part of
// the program kuscia-sandbox.
//
// It is written from the vendor's documents and their examples. There was no
// live service to record. Where the documents are incomplete it behaves in the
// way that is most difficult for a client: names need not be unique, a list may
// change while it is read, old instances still run for some time after an
// update.
package ief
