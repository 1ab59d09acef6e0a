-- runs with: 0150
-- What PostgreSQL does for each answer of an agent beside storing it. Nothing here changes a result.

-- Every event of a log looked up its run, and every run the workspace that its conversation belongs to. Logs go with their run
-- by the trigger below, as totals do; runs go with their conversation.
alter table run_events drop constraint run_events_workspace_id_run_id_fkey;
alter table runs drop constraint runs_workspace_id_fkey;

-- A run is locked while its log is written, so a deletion waits for the writer and then sees all of its events.
create function delete_run_events() returns trigger language plpgsql as $$
begin
  delete from run_events e using gone where e.workspace_id = gone.workspace_id and e.run_id = gone.id;
  return null;
end $$;
create trigger events_of_runs after delete on runs referencing old table as gone
  for each statement execute function delete_run_events();

-- Most conversations have no link.
alter table conversations drop constraint conversations_public_token_hash_key;
create unique index conversations_by_link on conversations (public_token_hash) where public_token_hash is not null;

-- Nearly always no reader watches the workspace, and these events are published for readers alone: one look, and no event
-- is put together.
create or replace function publish_run_live() returns trigger language plpgsql as $$
begin
  if exists (select from event_feeds where workspace_id = new.workspace_id and watched_until > now()) then
    perform publish_live(new.workspace_id,
      case when new.status = 'queued' then 'run.queued'
        when tg_op = 'UPDATE' and old.status = 'awaiting_human_feedback' then 'run.resumed' else 'run.started' end,
      json_build_object('run_id', new.id, 'conversation_id', new.conversation_id, 'actor_id', new.actor_id, 'status', new.status));
  end if;
  return null;
end
$$;

create or replace function publish_conversation_live() returns trigger language plpgsql as $$
declare workspace uuid := case when tg_op = 'DELETE' then old.workspace_id else new.workspace_id end;
  about conversations;
begin
  if exists (select from event_feeds where workspace_id = workspace and watched_until > now()) then
    about := case when tg_op = 'DELETE' then old else new end;
    perform publish_live(about.workspace_id,
      case tg_op when 'INSERT' then 'conversation.created' when 'DELETE' then 'conversation.deleted' else 'conversation.renamed' end,
      json_build_object('conversation_id', about.id, 'person_id', about.person_id,
        'actor_id', case when tg_op = 'INSERT' then about.created_by end));
  end if;
  return null;
end
$$;

-- The messages of a run change a conversation without an actor, and nearly always there was none before.
drop trigger note_etag_actor on conversations;
create trigger note_etag_actor before update of etag_ms, etag_seq on conversations for each row
  when (old.etag_by is not null or coalesce(current_setting('atrium.actor', true), '') <> '')
  execute function note_etag_actor();

-- translate() compares each character of a text with all 32 marks, which took half of the time of storing a reply. The expression
-- finds the same marks and leaves the same words.
create or replace function message_words(parts text) returns tsvector language plpgsql immutable parallel safe as $$
declare
  said text;
begin
  if left(parts, 1) <> '[' then
    return null;
  end if;
  select string_agg(part ->> 'content', ' ') into said from json_array_elements(parts::json) part
  where part ->> 'type' in ('user', 'text') and part ->> 'advice' is null;
  return strip(to_tsvector('simple', regexp_replace(left(said, 100000) collate "C", '[!-/:-@[-`{-~]', ' ', 'g')));
exception when data_exception then
  return null;
end $$;

create or replace function search_words(content text) returns tsvector language sql immutable parallel safe as $$
  select strip(to_tsvector('simple', regexp_replace(left(content, 100000) collate "C", '[!-/:-@[-`{-~]', ' ', 'g')))
$$;

-- Nearly always no call has failed and no model is known to fail: two looks instead of two loops over grouped rows.
create or replace function note_model_health() returns trigger language plpgsql as $$
declare changed record;
begin
  if exists (select from called where status = 'failed') then
    -- In the order of the names, so that two statements never wait for each other.
    for changed in
      select workspace_id, model, count(*) as failures from called where status = 'failed'
      group by workspace_id, model order by workspace_id, model
    loop
      insert into model_health as h (workspace_id, model, failures)
        values (changed.workspace_id, changed.model, changed.failures)
        on conflict (workspace_id, model) do update set failures = least(h.failures + excluded.failures, 1000);
      update model_health set failing_since = now()
        where workspace_id = changed.workspace_id and model = changed.model and failures >= 3 and failing_since is null;
      if found then
        perform publish_live(changed.workspace_id, 'model.failing', json_build_object('model_id', changed.model));
      end if;
    end loop;
  end if;
  if exists (select from model_health) then
    for changed in
      delete from model_health h using (select distinct workspace_id, model from called where status = 'ok') as good
      where h.workspace_id = good.workspace_id and h.model = good.model
      returning h.workspace_id, h.model, h.failing_since
    loop
      if changed.failing_since is not null then
        perform publish_live(changed.workspace_id, 'model.recovered', json_build_object('model_id', changed.model));
      end if;
    end loop;
  end if;
  return null;
end
$$;
