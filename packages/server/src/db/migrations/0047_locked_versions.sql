-- Whether a version has a lock on, so that reading a conversation looks at the published version only where one may bind it.
-- Definitions are written by JSON.stringify; a quoted text inside of one can't match, since its quotes are escaped.
alter table agent_versions add column has_locks boolean not null
  generated always as (definition ~ '"(pii|guardrail|prompt)_lock":true') stored;
