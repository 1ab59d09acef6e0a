-- One search over messages, passages, columns and steps. The indexes begin with the workspace, so that a search costs the same
-- whatever other workspaces hold.
create extension if not exists btree_gin;

-- The words of a text, without places. Punctuation is dropped first, or addresses and paths would be one word each; the
-- length is limited because PostgreSQL refuses longer lists of words.
create function search_words(content text) returns tsvector language sql immutable parallel safe as $$
  select strip(to_tsvector('simple', translate(left(content, 100000), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32))))
$$;

-- What people and the agent said. Encrypted messages and damaged ones have no words. A dump is restored without a search path,
-- so this calls functions of PostgreSQL alone.
create function message_words(parts text) returns tsvector language plpgsql immutable parallel safe as $$
declare
  said text;
begin
  if left(parts, 1) <> '[' then
    return null;
  end if;
  select string_agg(part ->> 'content', ' ') into said from json_array_elements(parts::json) part
  where part ->> 'type' in ('user', 'text') and part ->> 'advice' is null;
  return strip(to_tsvector('simple', translate(left(said, 100000), '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', repeat(' ', 32))));
exception when data_exception then
  return null;
end $$;

alter table messages add column words tsvector generated always as (message_words(parts)) stored;
create index messages_search on messages using gin (workspace_id, words) where superseded_by is null;

create index kb_chunks_search on kb_chunks using gin (workspace_id, search_words(content));

create index table_columns_search on table_columns using gin
  (workspace_id, lower(name) gin_trgm_ops, lower(coalesce(label, '')) gin_trgm_ops) where dropped_at is null;
