-- The database cannot open sealed text, so the platform's tables say so in its place, and show the rest without its escape.
create or replace view atrium_platform.conversations with (security_barrier = true) as
  select id,
    case when name like 'atrium-sealed:1:%' then 'Encrypted at rest (ATRIUM_ENCRYPT_AT_REST)'
      when name like 'atrium-sealed:0:%' then substr(name, 17) else name end as name,
    status, assistant_id, user_id, manual, preview, chat_transport, is_locked, message_count, tokens_used, created_at,
    last_updated_at
  from conversations
  where workspace_id = (select workspace_id from table_spaces where role_name = current_user);

create or replace view atrium_platform.messages with (security_barrier = true) as
  select id, conversation_id, seq, role,
    (case when parts like 'atrium-sealed:1:%'
      then '[{"type": "encrypted", "content": "Encrypted at rest (ATRIUM_ENCRYPT_AT_REST)"}]' else parts end)::json as parts,
    run_id, created_at
  from messages
  where superseded_by is null
    and workspace_id = (select workspace_id from table_spaces where role_name = current_user);

create or replace view atrium_platform.runs with (security_barrier = true) as
  select id, conversation_id, kind, status,
    case when error::text like '"atrium-sealed:1:%'
      then '{"code": "encrypted", "message": "Encrypted at rest (ATRIUM_ENCRYPT_AT_REST)"}' else error end as error,
    created_at, started_at, finished_at
  from runs
  where workspace_id = (select workspace_id from table_spaces where role_name = current_user);

create or replace view atrium_platform.feedback with (security_barrier = true) as
  select id, conversation_id, message_id, rating, score,
    case when comment like 'atrium-sealed:1:%' then 'Encrypted at rest (ATRIUM_ENCRYPT_AT_REST)'
      when comment like 'atrium-sealed:0:%' then substr(comment, 17) else comment end as comment,
    created_at, updated_at
  from feedback
  where workspace_id = (select workspace_id from table_spaces where role_name = current_user);
