// Package tflog stands for that of terraform-plugin-log.
package tflog

func Info(message string, fields ...map[string]any) {}
