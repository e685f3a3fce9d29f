# The ID is the deployment ID.
terraform import kuscia_edge_deployment.lite 8170e363-0232-44eb-b89c-dab6b6e915ff

# In a service instance other than that of the provider block, prefix the instance ID.
terraform import kuscia_edge_deployment.lite 5d0f5f9a-7f8d-4b7e-9b7b-3f3c9a2d1e00/8170e363-0232-44eb-b89c-dab6b6e915ff
