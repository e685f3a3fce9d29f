// Package status is the data source kuscia_serving_status, and the status as all
// data sources of servings show it.
package status
