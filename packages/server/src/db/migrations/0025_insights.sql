-- What is learnt from conversations: what they are about, how content people are, and figures added up by hours and days.

-- Conversations that are looked at once nobody has said anything in them for a while.
create table insight_due (
  workspace_id uuid not null,
  conversation_id uuid not null,
  agent_id uuid not null,
  due_at timestamptz(3) not null,
  attempts smallint not null default 0,
  primary key (workspace_id, conversation_id),
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
);
create index insight_due_by_time on insight_due (due_at);

create table topics (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  agent_id uuid not null,
  short text not null,
  medium text not null,
  long text not null,
  -- A name that stands is not changed any more.
  named boolean not null,
  size integer not null,
  -- How much of each word its conversations have; what others are compared with.
  weights json not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);
create index topics_by_agent on topics (workspace_id, agent_id);

-- In how many conversations of an agent each word was said.
create table topic_words (
  workspace_id uuid not null references workspaces on delete cascade,
  agent_id uuid not null,
  conversations integer not null,
  words json not null,
  primary key (workspace_id, agent_id)
);

create table conversation_topics (
  workspace_id uuid not null,
  conversation_id uuid not null,
  topic_id uuid not null,
  agent_id uuid not null,
  day date not null,
  -- What it was sorted by, without anything private.
  words json not null,
  primary key (workspace_id, conversation_id, topic_id),
  foreign key (workspace_id, conversation_id) references conversations on delete cascade,
  foreign key (workspace_id, topic_id) references topics on delete cascade
);
create index conversation_topics_by_topic on conversation_topics (workspace_id, topic_id);

-- How many conversations came to a topic on each day: all that the list of top topics reads.
create table topic_days (
  workspace_id uuid not null,
  agent_id uuid not null,
  day date not null,
  topic_id uuid not null,
  n integer not null,
  primary key (workspace_id, agent_id, day, topic_id),
  foreign key (workspace_id, topic_id) references topics on delete cascade
);
create index topic_days_by_topic on topic_days (workspace_id, topic_id);

-- How content people are, from 1 to 5: what they say, what the agent notes, what a judge thinks.
create table csat_scores (
  workspace_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  agent_id uuid,
  version_id uuid,
  source text not null check (source in ('user', 'agent', 'judge')),
  score smallint not null check (score between 1 and 5),
  reason text,
  at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
);
create index csat_scores_by_agent on csat_scores (workspace_id, agent_id, at);
create index csat_scores_by_conversation on csat_scores (workspace_id, conversation_id);

-- What the figures hear of them: a score that is changed is taken away and added anew.
create table csat_facts (
  workspace_id uuid not null references workspaces on delete cascade,
  id bigint generated always as identity primary key,
  tx xid8 not null default pg_current_xact_id(),
  at timestamptz(3) not null,
  agent_id uuid,
  version_id uuid,
  actor_kind text,
  actor_id uuid,
  user_id uuid,
  n smallint not null,
  total integer not null
);
create index csat_facts_by_tx on csat_facts (tx);

-- Answers to the questions that an agent's settings ask of each conversation.
create table custom_insights (
  workspace_id uuid not null,
  conversation_id uuid not null,
  name text not null,
  agent_id uuid not null,
  type text not null,
  answer json not null,
  at timestamptz(3) not null default now(),
  primary key (workspace_id, conversation_id, name),
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
);
create index custom_insights_by_agent on custom_insights (workspace_id, agent_id, at);

-- Everything that is counted, of whatever kind. Facts come in the order of time, so the small index finds a time in them.
create index run_facts_by_time on run_facts using brin (at);
create index model_calls_by_time on model_calls using brin (at);
create index csat_facts_by_time on csat_facts using brin (at);

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
  select tx, workspace_id, at, agent_id, version_id, model, null, case when actor_kind = 'api_key' then actor_id end,
    0, 0, 0, 0, 0, 0, 0, 0, input_tokens, output_tokens, coalesce(cost, 0), 0, 0, 0, 0, 0
  from model_calls
  union all
  select tx, workspace_id, at, agent_id, version_id, null, user_id, case when actor_kind = 'api_key' then actor_id end,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, n, total, 0, 0, 0
  from csat_facts;

-- The same once for each way to look at it: all together (''), by version, model, user and key.
create view insight_lines as
  select f.*, coalesce(f.agent_id, '00000000-0000-0000-0000-000000000000') as agent, way.dim, way.value
  from insight_facts f cross join lateral (values
    ('', ''),
    ('version', f.version_id::text),
    ('model', f.model),
    ('user', f.user_id::text),
    ('key', f.key_id::text)
  ) as way (dim, value)
  where way.value is not null;

create table insight_days (
  workspace_id uuid not null references workspaces on delete cascade,
  dim text not null,
  at timestamptz(3) not null,
  agent uuid not null,
  value text not null,
  conversations bigint not null,
  messages bigint not null,
  runs bigint not null,
  failures bigint not null,
  latency_n bigint not null,
  latency bigint not null,
  ttft_n bigint not null,
  ttft bigint not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cost double precision not null,
  csat_n bigint not null,
  csat bigint not null,
  violations bigint not null,
  tool_calls bigint not null,
  searches_without_answer bigint not null,
  primary key (workspace_id, dim, at, agent, value)
);
-- Of hours only all together: by anything else there would be as many lines as facts.
create table insight_hours (like insight_days including all);
alter table insight_hours add foreign key (workspace_id) references workspaces on delete cascade;

-- How long things took, in steps of a sixth of a power of two: about twelve per cent. Once for the agent, once for all.
create view insight_times as
  select f.tx, f.workspace_id, f.at, whose.agent, took.metric,
    round(6 * ln(greatest(took.ms, 1)) / ln(2))::int as step, 1 as n
  from run_facts f cross join lateral (values
    ('latency', case when f.status = 'completed' then f.ms end),
    ('time_to_first_token', f.ttft_ms)
  ) as took (metric, ms) cross join lateral (values
    (coalesce(f.agent_id, '00000000-0000-0000-0000-000000000000')),
    ('ffffffff-ffff-ffff-ffff-ffffffffffff')
  ) as whose (agent)
  where took.ms is not null;

create table insight_steps (
  workspace_id uuid not null references workspaces on delete cascade,
  metric text not null,
  unit text not null check (unit in ('hour', 'day')),
  at timestamptz(3) not null,
  agent uuid not null,
  step integer not null,
  n bigint not null,
  primary key (workspace_id, metric, unit, at, agent, step)
);

-- Up to which transaction facts have been added up.
create table insight_mark (
  one boolean primary key default true check (one),
  tx xid8 not null
);
insert into insight_mark (tx) values ('0');
