-- A table that was never analyzed seems to have few rows, and all indexes that hold workspace and id seem to cost the same: PostgreSQL
-- 18 then reads through one of another order, and keeps that plan while the table grows. The newest index wins, so these do.
-- A migration that adds an index with workspace_id and id to these tables has to make them anew; a test says so.
create index conversations_by_id on conversations (id);
create index runs_by_id on runs (id);

-- A conversation is updated twice in a turn, and its settings were searched for names each time: 50 µs, half of the update. Most
-- settings name nothing, which one look tells.
drop index conversations_by_mention;
create index conversations_by_mention on conversations using gin (settings_mentions(settings))
  where settings ~ '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-|[{][{]|"(url|dsn_variable)":"';
