-- The user groups of a person, for lists of what names one of them.
create function user_groups_of(person uuid) returns uuid[] language sql stable as $$
  select coalesce(array_agg(m.user_group_id), '{}') from user_group_members m where m.person_id = person
$$;
