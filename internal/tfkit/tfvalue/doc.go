// Package tfvalue has the Terraform value types with semantic equality and
// their validators. It does not depend on Kuscia.
package tfvalue
