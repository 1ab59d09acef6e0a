-- runs with: 0150
-- The newest documents of a workspace that can be searched, of all its knowledge bases.
create index kb_documents_newest on kb_documents (workspace_id, id) where live_run is not null;

-- The same words as before. A function of this language keeps its cost, by which no plan compares all passages when the index
-- knows those that match.
create or replace function search_words(content text) returns tsvector language plpgsql immutable parallel safe cost 2000 as $$
begin
  return strip(to_tsvector('simple', regexp_replace(left(content, 100000) collate "C", '[!-/:-@[-`{-~]', ' ', 'g')));
end $$;
