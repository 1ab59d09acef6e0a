-- Who a conversation belongs to: the person or the service account that began it. Each line of keys of the organization's
-- account is an owner of its own. Null: a visitor began it, or the owner is not known.
alter table conversations add column owner_id uuid;
update conversations c set owner_id = coalesce(c.person_id, (
  select case when a.workspace_id is null then coalesce(k.line, k.id) else a.id end
  from api_keys k join service_accounts a on a.id = k.service_account_id where k.id = c.api_key_id))
where c.deployment_id is null;
create index conversations_of_owner on conversations (workspace_id, owner_id, last_updated_at desc) where owner_id is not null;
drop index conversations_of_person;

-- Everybody who may read a conversation without the permission conversations_read.
create view conversation_readers (workspace_id, conversation_id, reader_id) as
  select workspace_id, id, owner_id from conversations where owner_id is not null
  union all
  select workspace_id, conversation_id, person_id from conversation_share_people;

-- Keys from before see what everybody's keys saw, until they are narrowed. Keys of people have never seen more than their person.
alter table api_keys add column reach text not null default 'own' check (reach in ('own', 'workspace'));
update api_keys set reach = 'workspace' where person_id is null;

-- Events about a conversation are for its owner, also when that is a service account.
create function owner_of_conversation(workspace uuid, conversation uuid) returns uuid stable language sql as $$
  select owner_id from conversations where workspace_id = workspace and id = conversation
$$;
create or replace function publish_conversation_live() returns trigger language plpgsql as $$
declare workspace uuid := case when tg_op = 'DELETE' then old.workspace_id else new.workspace_id end;
  about conversations;
begin
  if exists (select from event_feeds where workspace_id = workspace and watched_until > now()) then
    about := case when tg_op = 'DELETE' then old else new end;
    perform publish_live(about.workspace_id,
      case tg_op when 'INSERT' then 'conversation.created' when 'DELETE' then 'conversation.deleted' else 'conversation.renamed' end,
      json_build_object('conversation_id', about.id, 'person_id', about.owner_id,
        'actor_id', case when tg_op = 'INSERT' then about.created_by end));
  end if;
  return null;
end
$$;
