# Ephemeral values are in no state and no plan file. Give them with every plan
# and apply, for example as TF_VAR_kuscia_token, or take them from an ephemeral
# resource of a secret store.

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

# Raised whenever the storage keys, or anything else in the text, change.
variable "serving_config_version" {
  type    = number
  default = 1
}
