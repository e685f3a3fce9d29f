// Package versions says in which versions a cluster has the objects that
// KusciaAPI's answer about a serving is made from: its KusciaDeployment, the
// Deployments and Services of its parties, and their app images. As long as none
// of them has another version the answer is the same. It lists them for all
// servings at once.
package versions
