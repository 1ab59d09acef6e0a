-- How the last runs that triggers have started went; a run that is gone, or goes on, has not failed.
create function runs_of_triggers(workspace uuid, triggers uuid[])
returns table (trigger_id uuid, started int, failed int, last_failed boolean) stable language sql as $$
  select asked.id, count(d.run_id)::int, count(*) filter (where d.status = 'failed')::int,
    coalesce((array_agg(d.status = 'failed' order by d.id desc) filter (where d.status in ('failed', 'completed')))[1], false)
  from unnest(triggers) as asked (id) left join lateral (
    select t.id, t.run_id, coalesce(w.status, r.status) as status from trigger_deliveries t
    left join workflow_runs w on w.workspace_id = t.workspace_id and w.id = t.run_id
    left join runs r on r.workspace_id = t.workspace_id and r.id = t.run_id
    where t.workspace_id = workspace and t.trigger_id = asked.id and t.run_id is not null order by t.id desc limit 20) d on true
  group by asked.id
$$;
