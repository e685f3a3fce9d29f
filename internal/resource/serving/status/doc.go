// Package status is the data source kuscia_serving_status, and the form of a
// status in all data sources of servings.
package status
