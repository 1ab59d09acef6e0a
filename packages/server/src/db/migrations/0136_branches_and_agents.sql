-- The message that this one follows, where it is not the one before: the first message of a branch, and one that was
-- sent after another branch was chosen. 0: it is the first of the conversation.
alter table messages add column parent_seq integer;

-- The first messages of branches are few, however long the conversation is.
create index messages_replaced on messages (workspace_id, conversation_id, superseded_by, seq)
  where superseded_by is not null;

-- A branch that was replaced ends with the message that was the newest then; the next one begins the branch in its place.
with replaced as (
  select workspace_id, conversation_id, superseded_by, max(seq) as last
  from messages where superseded_by is not null group by 1, 2, 3
)
update messages m set parent_seq = coalesce((
    select max(p.seq) from messages p
    where p.workspace_id = m.workspace_id and p.conversation_id = m.conversation_id and p.seq < m.seq
      and (p.superseded_by is null or exists (
        select from messages x where x.workspace_id = p.workspace_id and x.conversation_id = p.conversation_id
          and x.superseded_by = p.superseded_by and x.seq >= m.seq))), 0)
from replaced e
where e.workspace_id = m.workspace_id and e.conversation_id = m.conversation_id and e.last = m.seq - 1;

-- Who changed the draft last, and when.
alter table agents add column draft_by uuid, add column draft_at timestamptz(3);

-- People who are told what happens to an agent.
create table agent_followers (
  workspace_id uuid not null,
  agent_id uuid not null,
  person_id uuid not null references people (id) on delete cascade,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, agent_id, person_id),
  foreign key (workspace_id, agent_id) references agents on delete cascade
);
create index agent_followers_by_person on agent_followers (person_id);

-- The pictures of agents that were uploaded, scaled down.
create table agent_pictures (
  workspace_id uuid not null,
  agent_id uuid not null,
  -- Part of its address, which changes with the picture.
  hash text not null,
  bytes bytea not null,
  primary key (workspace_id, agent_id),
  foreign key (workspace_id, agent_id) references agents on delete cascade
);
