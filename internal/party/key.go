package party

// DeploymentName is how Kuscia calls the Deployment of a party. A serving is a
// KusciaDeployment of its id.
func DeploymentName(servingID, role string) string {
	if role == "" {
		return servingID
	}
	return servingID + "-" + role
}

// Key identifies a party within a serving.
type Key struct{ DomainID, Role string }

// String is the form in which Kuscia's own messages name a party.
func (k Key) String() string { return k.DomainID + "/" + k.Role }
