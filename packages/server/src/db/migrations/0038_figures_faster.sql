-- Facts with columns that have one type in all parts: else a condition is not told to the parts, and facts are read that
-- have nothing to say about a metric.
create or replace view insight_facts as
  select tx, workspace_id, at, agent_id, version_id, model, user_id,
    case when actor_kind = 'api_key' then actor_id end as key_id,
    begins::int as conversations, messages::int as messages, 1 as runs, (status = 'failed')::int as failures,
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
  select tx, workspace_id, at, agent_id, version_id, null::text, user_id,
    case when actor_kind = 'api_key' then actor_id end,
    0, 0, 0, 0, 0, 0, 0, 0, 0::bigint, 0::bigint, 0::double precision, n::int, total, 0, 0, 0
  from csat_facts
  union all
  select tx, workspace_id, at, agent_id, version_id, null::text, user_id,
    case when actor_kind = 'api_key' then actor_id end,
    0, 1, 0, 0, 0, 0, 0, 0, 0::bigint, 0::bigint, 0::double precision, 0, 0, 0, 0, 0
  from said_facts;

-- What is new is in the small indexes at once, and not only after the next vacuum.
alter index run_facts_by_time set (autosummarize = on);
alter index model_calls_by_time set (autosummarize = on);
alter index csat_facts_by_time set (autosummarize = on);
alter index said_facts_by_time set (autosummarize = on);
