-- What the settings of a conversation name: ids of records, variables as {{name}}, addresses. A lookup of what uses a record
-- would otherwise read all conversations of the workspace.
-- Its cost keeps the planner from reading all conversations of a workspace with it.
create function settings_mentions(settings text) returns text[] language sql immutable parallel safe cost 5000 as $$
  select array(
    select distinct lower(m[1])
    from regexp_matches(settings, '([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})', 'gi') m
    union
    select distinct '{{' || left(regexp_replace(btrim(m[1]), '^secret\.', ''), 100)
    from regexp_matches(settings, '\{\{([^{}]+)\}\}', 'g') m
    union
    select distinct '{{' || left(m[1], 100) from regexp_matches(settings, '"dsn_variable":"([^"]+)"', 'g') m
    union
    select distinct 'url:' || md5(m[1]) from regexp_matches(settings, '"url":"([^"]+)"', 'g') m)
$$;
create index conversations_by_mention on conversations using gin (settings_mentions(settings)) where settings is not null;
create index kb_documents_by_file on kb_documents (workspace_id, file_id) where file_id is not null;
