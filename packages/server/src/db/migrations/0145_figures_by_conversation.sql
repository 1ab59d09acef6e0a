-- Figures by what belongs to conversations: their channel and topics, and the tools that they called. A conversation
-- counts at the time at which it was created, as in the list of conversations; one that was deleted does not count.
create view conversation_facts as
  select f.workspace_id, f.at, f.agent_id, f.conversation_id, c.chat_transport as channel,
    0 as conversations, 1 as runs, (f.status = 'failed')::int as failures,
    (f.status = 'completed')::int as latency_n, case when f.status = 'completed' then f.ms else 0 end as latency,
    (f.ttft_ms is not null)::int as ttft_n, coalesce(f.ttft_ms, 0) as ttft,
    0::bigint as input_tokens, 0::bigint as output_tokens, 0::double precision as cost,
    f.violations, f.tool_calls, f.searches_without_answer
  from run_facts f join conversations c on c.workspace_id = f.workspace_id and c.id = f.conversation_id
  union all
  select f.workspace_id, c.created_at, f.agent_id, f.conversation_id, c.chat_transport,
    1, 0, 0, 0, 0, 0, 0, 0::bigint, 0::bigint, 0::double precision, 0, 0, 0
  from run_facts f join conversations c on c.workspace_id = f.workspace_id and c.id = f.conversation_id
  where f.begins
  union all
  select m.workspace_id, m.at, m.agent_id, m.conversation_id, c.chat_transport,
    0, 0, 0, 0, 0, 0, 0, m.input_tokens, m.output_tokens, coalesce(m.cost, 0), 0, 0, 0
  from model_calls m join conversations c on c.workspace_id = m.workspace_id and c.id = m.conversation_id;

create view conversation_topic_facts as
  select f.*, t.topic_id from conversation_facts f
    join conversation_topics t on t.workspace_id = f.workspace_id and t.conversation_id = f.conversation_id;

create view tool_call_facts as
  select t.workspace_id, t.created_at as at, c.assistant_id as agent_id, t.tool
  from tool_calls t left join conversations c on c.workspace_id = t.workspace_id and c.id = t.conversation_id;
