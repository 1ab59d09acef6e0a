-- The current names of everybody who can be named as the author of something.
create view actors as
  select p.tenant_id, p.id, 'person' as kind, p.name from people p
  union all
  select k.tenant_id, k.id, case when k.person_id is null then 'service_account_key' else 'api_key' end, k.name
  from api_keys k
  union all
  select w.tenant_id, t.id, 'trigger', t.name from triggers t join workspaces w on w.id = t.workspace_id
  union all
  select w.tenant_id, d.id, 'channel', d.name from deployments d join workspaces w on w.id = d.workspace_id;
create index triggers_by_id on triggers (id);

-- `decided_by` has a name; the id stands beside it.
alter table workflow_approvals add column decided_by_id uuid;

-- Who began a conversation, and the person behind that: the session's, or the owner of a key or trigger.
alter table conversations
  add column created_by uuid,
  add column person_id uuid;
create index conversations_of_person on conversations (workspace_id, person_id, last_updated_at desc)
  where person_id is not null;

-- Who wrote a message: the sender, or the person who answered in place of the agent.
alter table messages add column written_by uuid;
