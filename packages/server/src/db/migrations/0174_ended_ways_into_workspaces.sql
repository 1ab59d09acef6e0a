-- runs with: 0150
-- Shares end with the last way into a workspace, also when two ways end at the same moment; those with a group end when the
-- group is no member of the workspace any more. One at a time: the later of two transactions sees what the earlier has ended.
create function end_shares(people uuid[], user_groups uuid[]) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('end_shares', 0));
  with ended as (
    delete from conversation_shares s
    where s.person_id = any(people) and not belongs_to_workspace(s.workspace_id, s.person_id)
      or s.user_group_id = any(user_groups) and not exists (select from member_groups g
        where g.workspace_id = s.workspace_id and g.user_group_id = s.user_group_id)
    returning s.*),
  written as (
    insert into audit_log (id, tenant_id, workspace_id, operation, outcome, actor_kind, actor_id, target_kind, target_id,
      parent_kind, parent_id, before)
    select gen_random_uuid(), tenant_id, workspace_id, 'conversations.unshareWith', 'done', 'system', 'system',
      'conversation_share', id, 'conversation', conversation_id,
      json_build_object('kind', case when person_id is null then 'user_group' else 'person' end,
        'grantee_id', coalesce(person_id, user_group_id), 'access', access, 'created_by', created_by)
    from ended returning id)
  insert into audit_unlinked (row_id) select id from written;
end
$$;

create or replace function end_shares_of(people uuid[]) returns void language sql as $$
  select end_shares(people, '{}')
$$;

create or replace function end_shares_of_group() returns trigger language plpgsql as $$
begin
  perform end_shares(array(select person_id from user_group_members where user_group_id = old.user_group_id),
    array[old.user_group_id]);
  return null;
end
$$;

-- Of groups that were removed from a workspace before this.
select end_shares('{}', array(select distinct user_group_id from conversation_shares where user_group_id is not null));

-- Tells people of conversations that they do not see any more, where somebody watches the workspace: once for a statement,
-- however many people lose something by it. Each entry of the lists is one thing that a person has lost: a group, or a role in a
-- workspace. At most 10,000 events for one change.
create function publish_lost_ways(workspaces uuid[], roles uuid[], user_groups uuid[], people uuid[])
returns void language sql as $$
  with ways as (
    select * from unnest(workspaces, roles, user_groups, people) as w (workspace_id, role_id, user_group_id, person_id)),
  lost as (
    select s.workspace_id, s.conversation_id, w.person_id
    from ways w join conversation_shares s on s.user_group_id = w.user_group_id
    union
    select s.workspace_id, s.conversation_id, w.person_id
    from ways w join workspaces at on at.id = w.workspace_id
    join conversation_shares s on s.tenant_id = at.tenant_id and s.role_id = w.role_id and s.workspace_id = at.id)
  select publish_live(told.workspace_id, 'conversation.unshared',
    json_build_object('conversation_id', told.conversation_id, 'person_id', told.person_id))
  from (
    select l.workspace_id, l.conversation_id, l.person_id
    from lost l
    join event_feeds f on f.workspace_id = l.workspace_id and f.watched_until > now()
    join conversations c on c.workspace_id = l.workspace_id and c.id = l.conversation_id
    where c.person_id is distinct from l.person_id
      and not exists (select from conversation_share_people p where p.workspace_id = l.workspace_id
        and p.conversation_id = l.conversation_id and p.person_id = l.person_id)
    limit 10000) told
$$;

create function is_anything_watched() returns boolean stable language sql as $$
  select exists (select from event_feeds where watched_until > now())
$$;

create function publish_left_groups() returns trigger language plpgsql as $$
begin
  if is_anything_watched() then
    perform publish_lost_ways(array_agg(way.workspace_id), array_agg(way.role_id), array_agg(way.user_group_id),
      array_agg(way.person_id))
    from (
      select null::uuid as workspace_id, null::uuid as role_id, gone.user_group_id, gone.person_id from gone
      union all
      select g.workspace_id, g.role_id, null, gone.person_id
      from gone join member_groups g on g.user_group_id = gone.user_group_id) as way;
  end if;
  return null;
end
$$;

-- A transition table can't be had for changes of one column, so roles that stay are left out here.
create function publish_lost_roles_of_members() returns trigger language plpgsql as $$
begin
  if not is_anything_watched() then
    return null;
  end if;
  if tg_op = 'DELETE' then
    perform publish_lost_ways(array_agg(gone.workspace_id), array_agg(gone.role_id), '{}', array_agg(gone.person_id))
    from gone;
  else
    perform publish_lost_ways(array_agg(gone.workspace_id), array_agg(gone.role_id), '{}', array_agg(gone.person_id))
    from gone join come on come.workspace_id = gone.workspace_id and come.person_id = gone.person_id
    where come.role_id <> gone.role_id;
  end if;
  return null;
end
$$;

create function publish_lost_roles_of_groups() returns trigger language plpgsql as $$
begin
  if not is_anything_watched() then
    return null;
  end if;
  if tg_op = 'DELETE' then
    perform publish_lost_ways(array_agg(gone.workspace_id), array_agg(gone.role_id), '{}', array_agg(m.person_id))
    from gone join user_group_members m on m.user_group_id = gone.user_group_id;
  else
    perform publish_lost_ways(array_agg(gone.workspace_id), array_agg(gone.role_id), '{}', array_agg(m.person_id))
    from gone join come on come.workspace_id = gone.workspace_id and come.user_group_id = gone.user_group_id
    join user_group_members m on m.user_group_id = gone.user_group_id
    where come.role_id <> gone.role_id;
  end if;
  return null;
end
$$;

drop trigger publish_lost_shares on user_group_members;
drop trigger publish_lost_shares on members;
drop trigger publish_lost_shares_of_role on members;
drop trigger publish_lost_shares on member_groups;
drop trigger publish_lost_shares_of_role on member_groups;
drop function publish_lost_group();
drop function publish_lost_role();
drop function publish_lost_shares(uuid[], uuid[]);

create trigger publish_lost_shares after delete on user_group_members referencing old table as gone
  for each statement execute function publish_left_groups();
create trigger publish_lost_shares after delete on members referencing old table as gone
  for each statement execute function publish_lost_roles_of_members();
create trigger publish_lost_shares_of_role after update on members referencing old table as gone new table as come
  for each statement execute function publish_lost_roles_of_members();
create trigger publish_lost_shares after delete on member_groups referencing old table as gone
  for each statement execute function publish_lost_roles_of_groups();
create trigger publish_lost_shares_of_role after update on member_groups referencing old table as gone new table as come
  for each statement execute function publish_lost_roles_of_groups();
