// Package versions reads the versions of the objects in a cluster from which
// KusciaAPI builds its response about a serving: its KusciaDeployment, the
// Deployments and Services of its parties, and their app images. As long as none
// of these versions changes, the response is the same. It lists the objects of
// all servings at once.
package versions
