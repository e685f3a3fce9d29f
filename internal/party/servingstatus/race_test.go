//go:build race

package servingstatus

func init() { raceDetector = true }
