-- The default role Admin holds every permission of a workspace; these three are new.
update roles set permissions = permissions || '{files_read_all,conversations_edit,runs_read_all}'::text[]
where is_default and scope = 'workspace' and name = 'Admin' and not permissions @> '{runs_read_all}';
