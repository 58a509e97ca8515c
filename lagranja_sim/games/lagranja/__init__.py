"""La Granja: its rules, components, policies' toolkit, tables and words."""
