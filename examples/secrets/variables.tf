# Ephemeral values are not stored in state or plan files. Set them for every
# plan and apply, for example with TF_VAR_kuscia_token, or read them from an
# ephemeral resource of a secret store.

variable "kuscia_token" {
  type      = string
  sensitive = true
  ephemeral = true
}

variable "storage_access_key" {
  type      = string
  sensitive = true
  ephemeral = true
}

variable "storage_secret_key" {
  type      = string
  sensitive = true
  ephemeral = true
}

# Increment when the storage keys or any other part of the text changes.
variable "serving_config_version" {
  type    = number
  default = 1
}
