-- runs with: 0150
-- The job that writes to the index of a knowledge base. The generation rises with each such job; one whose generation
-- is not the newest may store nothing. `writing` stays true when a job did not come to its end.
create table kb_index_writers (
  workspace_id uuid not null,
  kb_id uuid not null,
  generation bigint not null,
  writing boolean not null,
  primary key (workspace_id, kb_id),
  foreign key (workspace_id, kb_id) references knowledge_bases on delete cascade
);
