//go:build race

package faulttest_test

func init() { underRaceDetector = true }
