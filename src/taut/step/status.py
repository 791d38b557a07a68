"""What a step can come back with: fine; a pool that Python must enlarge (by how much is told by what is added to the
number); a state that cannot be trusted."""

#: a stage is needed that is compiled only then; nothing has happened yet
LACKING = 5
OK, PLAN_FULL, CONTACTS_FULL, BAD_STATE, WRAPS_FULL = 0, 10, 20, 30, 40
