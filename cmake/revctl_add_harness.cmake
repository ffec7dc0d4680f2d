# revctl_add_harness(): see design; filled in with the harness.
