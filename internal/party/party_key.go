package party

// DeploymentName is the name that Kuscia gives to the Deployment of a party. A
// serving is a KusciaDeployment with its id as the name.
func DeploymentName(servingID, role string) string {
	if role == "" {
		return servingID
	}
	return servingID + "-" + role
}

// Key identifies a party within a serving.
type Key struct{ DomainID, Role string }

// String returns the form in which Kuscia's own messages name a party.
func (k Key) String() string { return k.DomainID + "/" + k.Role }
