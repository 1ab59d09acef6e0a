-- How long things took in a quarter of a year, by agent, is many days and few weeks.
-- The table before it had taken the name of its check.
alter table insight_steps
  drop constraint if exists insight_steps_unit_check, drop constraint if exists insight_steps_unit_check1;
alter table insight_steps add constraint insight_steps_unit_check check (unit in ('hour', 'day', 'week'));

insert into insight_steps
  select workspace_id, metric, 'week', at, agent, array_agg(step order by step), array_agg(n order by step)
  from (
    select d.workspace_id, d.metric, date_trunc('week', d.at) as at, d.agent, taken.step, sum(taken.n)::bigint as n
    from insight_steps d, unnest(d.steps, d.counts) as taken (step, n)
    where d.unit = 'day' group by 1, 2, 3, 4, 5) as weeks
  group by 1, 2, 4, 5;
