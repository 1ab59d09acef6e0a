-- Usage by person: the one who is signed in, or who owns the key or trigger.
alter table model_calls add column person_id uuid;
alter table run_facts add column person_id uuid;
alter table said_facts add column person_id uuid;

drop view insight_lines;
create or replace view insight_facts as
  select tx, workspace_id, at, agent_id, version_id, model, user_id,
    case when actor_kind = 'api_key' then actor_id end as key_id,
    begins::int as conversations, messages::int as messages, 1 as runs, (status = 'failed')::int as failures,
    (status = 'completed')::int as latency_n, case when status = 'completed' then ms else 0 end as latency,
    (ttft_ms is not null)::int as ttft_n, coalesce(ttft_ms, 0) as ttft,
    0::bigint as input_tokens, 0::bigint as output_tokens, 0::double precision as cost, 0 as csat_n, 0 as csat,
    violations, tool_calls, searches_without_answer, person_id
  from run_facts
  union all
  select tx, workspace_id, at, agent_id, version_id, model, user_id, case when actor_kind = 'api_key' then actor_id end,
    0, 0, 0, 0, 0, 0, 0, 0, input_tokens, output_tokens, coalesce(cost, 0), 0, 0, 0, 0, 0, person_id
  from model_calls
  union all
  select tx, workspace_id, at, agent_id, version_id, null::text, user_id,
    case when actor_kind = 'api_key' then actor_id end,
    0, 0, 0, 0, 0, 0, 0, 0, 0::bigint, 0::bigint, 0::double precision, n::int, total, 0, 0, 0, null::uuid
  from csat_facts
  union all
  select tx, workspace_id, at, agent_id, version_id, null::text, user_id,
    case when actor_kind = 'api_key' then actor_id end,
    0, 1, 0, 0, 0, 0, 0, 0, 0::bigint, 0::bigint, 0::double precision, 0, 0, 0, 0, 0, person_id
  from said_facts;

create view insight_lines as
  select f.*, coalesce(f.agent_id, '00000000-0000-0000-0000-000000000000') as agent, way.dim, coalesce(way.value, '') as value
  from insight_facts f cross join lateral (values
    ('', ''),
    ('version', f.version_id::text),
    ('model', f.model),
    ('user', f.user_id::text),
    ('key', f.key_id::text),
    ('person', f.person_id::text)
  ) as way (dim, value);

-- What was added up before belongs to no person, so that groups add up to the whole.
insert into insight_days
  select workspace_id, 'person', at, agent, '', conversations, messages, runs, failures, latency_n, latency, ttft_n, ttft,
    input_tokens, output_tokens, cost, csat_n, csat, violations, tool_calls, searches_without_answer
  from insight_days where dim = '';
insert into insight_weeks
  select workspace_id, 'person', at, agent, '', conversations, messages, runs, failures, latency_n, latency, ttft_n, ttft,
    input_tokens, output_tokens, cost, csat_n, csat, violations, tool_calls, searches_without_answer
  from insight_weeks where dim = '';
