-- The people and user groups who are named to decide, and what the conversation had read when a person was asked; null: not known.
alter table human_requests
  add column approvers uuid[] not null default '{}',
  add column approver_groups uuid[] not null default '{}',
  add column has_read text[];
alter table workflow_approvals
  add column node_name text,
  add column approvers uuid[] not null default '{}',
  add column approver_groups uuid[] not null default '{}';

-- Everything that the actors behind a conversation's calls are known by: words at its beginning can cause a call at its end, and
-- words said to a conversation a call of its co-workers.
create function actors_behind_conversation(workspace uuid, conversation uuid) returns setof text stable language sql as $$
  with behind as (
    select c.id, c.shaped_by from conversations c where c.workspace_id = workspace and (c.id = conversation
      or c.id in (select unnest(o.charged_to) from conversations o where o.workspace_id = workspace and o.id = conversation)))
  select unnest(shaped_by) from behind
  union
  select name.id from runs r cross join lateral (
    select r.principal #>> '{actor,id}' as id
    union all
    select json_array_elements_text(r.principal #> '{actor,behind}')) name
  where r.workspace_id = workspace and r.conversation_id in (select id from behind)
  union
  select unnest(q.decided_names) from human_requests q
  where q.workspace_id = workspace and q.conversation_id in (select id from behind) and q.kind = 'question'
$$;

create function actors_behind_workflow_run(workspace uuid, run uuid) returns setof text stable language sql as $$
  select r.principal #>> '{actor,id}' from workflow_runs r where r.workspace_id = workspace and r.id = run
  union
  select json_array_elements_text(r.principal #> '{actor,behind}') from workflow_runs r
  where r.workspace_id = workspace and r.id = run
$$;

-- Who may decide about requests to people now, of a conversation or a workflow run; the one rule for what inboxes list, whom
-- notifications tell and who is let to decide. Where nobody who is named may decide, the workspace's administrators stand in.
-- `includes`: this person is among them. `is_behind`: one of these names is behind the call of a request with four_eyes.
create function deciders_of_requests(workspace uuid, requests uuid[], person uuid, names text[], most int)
returns table (request_id uuid, people json, more boolean, groups json, is_named boolean, stands_in boolean,
  includes boolean, is_behind boolean)
stable language sql as $$
  with rights as materialized (
    select r.person_id, p.name, r.permissions from person_rights r join people p on p.id = r.person_id
    where r.workspace_id = workspace),
  asked as materialized (
    select q.id, q.approvers, q.approver_groups, q.conversation_id, 'agents_run' as operates, 'agents_run' as needs,
      case when q.four_eyes then array(select actors_behind_conversation(workspace, q.conversation_id)) else '{}' end as behind
    from human_requests q where q.workspace_id = workspace and q.id = any(requests) and q.kind = 'approval'
    union all
    select q.id, q.approvers, q.approver_groups, null, 'flows_run', q.needs,
      case when q.four_eyes then array(select actors_behind_workflow_run(workspace, q.run_id)) else '{}' end
    from workflow_approvals q where q.workspace_id = workspace and q.id = any(requests)),
  able as materialized (
    select a.id, r.person_id, r.name from asked a join rights r
      on r.permissions && array[a.operates, 'workspace_admin', 'org:admin']
      and r.permissions && array[a.needs, 'workspace_admin', 'org:admin'] and r.person_id::text <> all (a.behind)
    where case
      when a.approvers <> '{}' or a.approver_groups <> '{}' then r.person_id = any(a.approvers)
        or exists (select from user_group_members m where m.person_id = r.person_id and m.user_group_id = any(a.approver_groups))
      when a.conversation_id is null then true
      else r.permissions && array['conversations_read', 'workspace_admin', 'org:admin']
        or exists (select from conversations c
          where c.workspace_id = workspace and c.id = a.conversation_id and c.owner_id = r.person_id)
        or exists (select from conversation_share_people s where s.workspace_id = workspace
          and s.conversation_id = a.conversation_id and s.person_id = r.person_id and s.access = 'write') end),
  named as (
    select a.*, a.approvers <> '{}' or a.approver_groups <> '{}' as is_named,
      not exists (select from able where able.id = a.id) as has_none from asked a),
  deciders as materialized (
    select id, person_id, name from able
    union all
    select n.id, r.person_id, r.name from named n join rights r on r.permissions && array['workspace_admin', 'org:admin']
      and r.person_id::text <> all (n.behind)
    where n.is_named and n.has_none)
  select n.id,
    coalesce((select json_agg(json_build_object('id', d.person_id, 'name', d.name) order by lower(d.name), d.person_id) from (
      select * from deciders where deciders.id = n.id order by lower(name), person_id limit most) d), '[]'),
    (select count(*) from deciders d where d.id = n.id) > most,
    coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name) order by lower(g.name)) from user_groups g
      join workspaces w on w.tenant_id = g.tenant_id and w.id = workspace where g.id = any(n.approver_groups)), '[]'),
    n.is_named, n.is_named and n.has_none,
    exists (select from deciders d where d.id = n.id and d.person_id = person),
    n.behind && names
  from named n
$$;

-- Who is told of an approval: the person whose conversation it is, where they may decide alone; else everybody who may decide.
create function told_of_approval(workspace uuid, approval uuid) returns setof uuid stable language sql as $$
  with owned as (
    select c.person_id from human_requests q
    join conversations c on c.workspace_id = q.workspace_id and c.id = q.conversation_id
    where q.workspace_id = workspace and q.id = approval and not q.four_eyes and q.approvers = '{}' and q.approver_groups = '{}'
      and c.person_id is not null)
  select person_id from owned
  union all
  select (one ->> 'id')::uuid
  from deciders_of_requests(workspace, array[approval], null, '{}', 200) d cross join lateral json_array_elements(d.people) one
  where not exists (select from owned)
$$;

-- The name that a channel gave of an end user.
create function end_user_of(workspace uuid, end_user uuid) returns text stable language sql as $$
  select name from end_users where workspace_id = workspace and id = end_user
$$;
