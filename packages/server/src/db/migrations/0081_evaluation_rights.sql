-- Who started an evaluation run, and with which permissions: tools that only read are called with these.
-- Runs of before have neither, and call no tool.
alter table evaluation_runs
  add column actor jsonb,
  add column permissions text[] not null default '{}';
