-- The texts of cases that are made of a conversation. `evaluations.cases` and `evaluation_runs.cases` refer to them by id, so
-- that they are deleted with the conversation, whichever way it is deleted. A change of a case makes a new row: runs keep theirs.
-- Cases from before have no known source: no record says which conversation they were made of.
create table evaluation_sourced_cases (
  workspace_id uuid not null,
  id uuid not null,
  evaluation_id uuid not null,
  case_id uuid not null,
  conversation_id uuid not null,
  content json not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, evaluation_id) references evaluations on delete cascade,
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
);
create index evaluation_sourced_cases_by_set on evaluation_sourced_cases (workspace_id, evaluation_id, case_id);
create index evaluation_sourced_cases_by_conversation on evaluation_sourced_cases (workspace_id, conversation_id);

alter table evaluation_results
  add column sourced_case_id uuid,
  add foreign key (workspace_id, sourced_case_id) references evaluation_sourced_cases on delete cascade;
create index evaluation_results_by_sourced_case on evaluation_results (workspace_id, sourced_case_id)
  where sourced_case_id is not null;
