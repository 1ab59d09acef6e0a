-- Passages that people switch off, edit or add. A training takes these changes along where it finds the same text again.
alter table kb_chunks
  add column enabled boolean not null default true,
  -- The text that the training read, of a passage that was edited; null: it was not.
  add column original text,
  add column added boolean not null default false,
  -- Rises with every change by hand.
  add column version integer not null default 0,
  add column changed_by text,
  add column changed_at timestamptz(3);
create index kb_chunks_changed on kb_chunks (workspace_id, kb_id, document_id) where version > 0;

-- Passages that the index has to follow: their rows are removed, and those that are there and switched on added again.
create table kb_passage_changes (
  workspace_id uuid not null,
  kb_id uuid not null,
  document_id uuid not null,
  chunk_id uuid not null,
  -- Rises with every change: the index drops only the change that it has followed.
  version bigint not null default 0,
  primary key (workspace_id, kb_id, chunk_id),
  foreign key (workspace_id, kb_id, document_id) references kb_documents on delete cascade
);
