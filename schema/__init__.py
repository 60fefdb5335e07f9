"""What things are: values, tables and pure rules, with no input, output or clock."""
