-- What a conversation has read, as a fact of its own: an agent that has read both private things and strangers' words asks
-- a person before it sends anything out. It only ever grows.

alter table conversations add column brought text[] not null default '{}'
  check (brought <@ array['untrusted', 'private']);

-- Of what was said before there is what the parts of messages say of it; files and results that say nothing are both.
-- Signs that JSON can write and a text here can't hold would make reading any part fail, and say nothing of this: they go.
with read as (
  select workspace_id, conversation_id,
    case when strpos(parts, '\u0000') = 0 and strpos(parts, '\ud') = 0 then parts
      else regexp_replace(parts, '(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1', 'g') end::json as parts
  from messages),
parts as (
  select workspace_id, conversation_id, part from read cross join json_array_elements(parts) as part),
found as (
  select workspace_id, conversation_id, json_array_elements_text(part->'brings') as kind from parts
  where json_typeof(part->'brings') = 'array'
  union
  select workspace_id, conversation_id, unnest(array['untrusted', 'private']) from parts
  where (part->>'role' = 'user' and json_typeof(part->'files') = 'array' and json_array_length(part->'files') > 0)
    or (part->>'type' = 'function' and part->'brings' is null)),
kinds as (
  select workspace_id, conversation_id, array_agg(distinct kind) as brought from found group by 1, 2)
update conversations c set brought = kinds.brought from kinds
where kinds.workspace_id = c.workspace_id and kinds.conversation_id = c.id;

-- Whether strangers' words may stand in a table: rows that came from a file, a workflow, or an agent that had read some.
alter table tables add column untrusted boolean not null default false;
-- Of the rows that are there nobody knows where they came from.
update tables set untrusted = true;
