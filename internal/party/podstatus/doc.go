// Package podstatus tells why pods do not run: from the pods of the parties that are not as
// desired, or, where they are not known, from what Kuscia reports. It makes no requests.
package podstatus
