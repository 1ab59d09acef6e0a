-- A draft of a workflow is a graph beside the published one. `drafts`: saves go to the draft unless they say otherwise.
alter table workflows add column drafts boolean not null default false,
  add column draft_graph_id uuid, add column draft_valid boolean not null default false,
  add column draft_by uuid, add column draft_at timestamptz(3),
  add foreign key (workspace_id, draft_graph_id) references workflow_graphs;
-- The foreign key is looked at when a graph is deleted.
create index workflows_draft_graph on workflows (workspace_id, draft_graph_id) where draft_graph_id is not null;

-- A run of the draft, as it was then.
alter table workflow_runs add column draft boolean not null default false;
