"""What people see of a table in a terminal: one renderer for `replay show` and `play`."""
