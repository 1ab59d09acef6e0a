-- Whoever speaks to an agent through a channel, or through a program that says for whom it asks: each is told apart, by
-- what their door calls them, so that figures can be looked at by user.
create table end_users (
  workspace_id uuid not null references workspaces on delete cascade,
  -- Made of the rest: the same person at the same door is the same one.
  id uuid not null,
  door text not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);
create index conversations_by_user on conversations (workspace_id, user_id) where user_id is not null;

alter table model_calls add column user_id uuid;

-- The small index by time finds the facts of all workspaces at once; a question is about those of one.
create index run_facts_by_workspace on run_facts (workspace_id, at);
create index model_calls_by_workspace on model_calls (workspace_id, at);

-- What people said in place of an agent, and whatever else is said without a run.
create table said_facts (
  workspace_id uuid not null references workspaces on delete cascade,
  message_id uuid not null,
  tx xid8 not null default pg_current_xact_id(),
  at timestamptz(3) not null default now(),
  agent_id uuid,
  version_id uuid,
  actor_kind text,
  actor_id uuid,
  user_id uuid,
  primary key (workspace_id, message_id)
);
create index said_facts_by_tx on said_facts (tx);
create index said_facts_by_time on said_facts using brin (at);

drop view insight_lines;
drop view insight_times;
drop view insight_facts;

create view insight_facts as
  select tx, workspace_id, at, agent_id, version_id, model, user_id,
    case when actor_kind = 'api_key' then actor_id end as key_id,
    begins::int as conversations, messages, 1 as runs, (status = 'failed')::int as failures,
    (status = 'completed')::int as latency_n, case when status = 'completed' then ms else 0 end as latency,
    (ttft_ms is not null)::int as ttft_n, coalesce(ttft_ms, 0) as ttft,
    0::bigint as input_tokens, 0::bigint as output_tokens, 0::double precision as cost, 0 as csat_n, 0 as csat,
    violations, tool_calls, searches_without_answer
  from run_facts
  union all
  select tx, workspace_id, at, agent_id, version_id, model, user_id, case when actor_kind = 'api_key' then actor_id end,
    0, 0, 0, 0, 0, 0, 0, 0, input_tokens, output_tokens, coalesce(cost, 0), 0, 0, 0, 0, 0
  from model_calls
  union all
  select tx, workspace_id, at, agent_id, version_id, null, user_id, case when actor_kind = 'api_key' then actor_id end,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, n, total, 0, 0, 0
  from csat_facts
  union all
  select tx, workspace_id, at, agent_id, version_id, null, user_id, case when actor_kind = 'api_key' then actor_id end,
    0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
  from said_facts;

-- Once for each way to look at it. What belongs to no version, no model … stands under '', so that groups add up to the whole.
create view insight_lines as
  select f.*, coalesce(f.agent_id, '00000000-0000-0000-0000-000000000000') as agent, way.dim, coalesce(way.value, '') as value
  from insight_facts f cross join lateral (values
    ('', ''),
    ('version', f.version_id::text),
    ('model', f.model),
    ('user', f.user_id::text),
    ('key', f.key_id::text)
  ) as way (dim, value);

-- The same for the days that were added up before: what is left of the whole.
insert into insight_days
  select t.workspace_id, way.dim, t.at, t.agent, '', t.conversations - coalesce(sum(o.conversations), 0),
    t.messages - coalesce(sum(o.messages), 0), t.runs - coalesce(sum(o.runs), 0),
    t.failures - coalesce(sum(o.failures), 0), t.latency_n - coalesce(sum(o.latency_n), 0),
    t.latency - coalesce(sum(o.latency), 0), t.ttft_n - coalesce(sum(o.ttft_n), 0), t.ttft - coalesce(sum(o.ttft), 0),
    t.input_tokens - coalesce(sum(o.input_tokens), 0), t.output_tokens - coalesce(sum(o.output_tokens), 0),
    greatest(round((t.cost - coalesce(sum(o.cost), 0))::numeric, 9), 0), t.csat_n - coalesce(sum(o.csat_n), 0),
    t.csat - coalesce(sum(o.csat), 0), t.violations - coalesce(sum(o.violations), 0),
    t.tool_calls - coalesce(sum(o.tool_calls), 0),
    t.searches_without_answer - coalesce(sum(o.searches_without_answer), 0)
  from insight_days t cross join (values ('version'), ('model'), ('user'), ('key')) as way (dim)
  left join insight_days o on o.workspace_id = t.workspace_id and o.dim = way.dim and o.at = t.at and o.agent = t.agent
  where t.dim = '' group by t.workspace_id, t.at, t.agent, t.dim, t.value, way.dim;

-- A quarter of a year by user is many days and few weeks.
create table insight_weeks (like insight_days including all);
alter table insight_weeks add foreign key (workspace_id) references workspaces on delete cascade;
insert into insight_weeks
  select workspace_id, dim, date_trunc('week', at), agent, value, sum(conversations), sum(messages), sum(runs),
    sum(failures), sum(latency_n), sum(latency), sum(ttft_n), sum(ttft), sum(input_tokens), sum(output_tokens), sum(cost),
    sum(csat_n), sum(csat), sum(violations), sum(tool_calls), sum(searches_without_answer)
  from insight_days group by 1, 2, 3, 4, 5;

-- How long things took: one row for each time and agent with how often each step was taken. With a row for each step a
-- quarter of a year was thousands of rows.
alter table insight_steps rename to insight_single_steps;
alter index insight_steps_pkey rename to insight_single_steps_pkey;
create table insight_steps (
  workspace_id uuid not null references workspaces on delete cascade,
  metric text not null,
  unit text not null check (unit in ('hour', 'day')),
  at timestamptz(3) not null,
  agent uuid not null,
  steps integer[] not null,
  counts bigint[] not null,
  primary key (workspace_id, metric, unit, at, agent)
);
insert into insight_steps
  select workspace_id, metric, unit, at, agent, array_agg(step order by step), array_agg(n order by step)
  from insight_single_steps group by 1, 2, 3, 4, 5;
drop table insight_single_steps;

create view insight_times as
  select f.tx, f.workspace_id, f.at, coalesce(f.agent_id, '00000000-0000-0000-0000-000000000000') as agent, took.metric,
    round(6 * ln(greatest(took.ms, 1)) / ln(2))::int as step
  from run_facts f cross join lateral (values
    ('latency', case when f.status = 'completed' then f.ms end),
    ('time_to_first_token', f.ttft_ms)
  ) as took (metric, ms)
  where took.ms is not null;

-- The same for topics.
create table topic_weeks (like topic_days including all);
alter table topic_weeks rename column day to week;
alter table topic_weeks add foreign key (workspace_id, topic_id) references topics on delete cascade;
insert into topic_weeks
  select workspace_id, agent_id, date_trunc('week', day)::date, topic_id, sum(n) from topic_days group by 1, 2, 3, 4;
