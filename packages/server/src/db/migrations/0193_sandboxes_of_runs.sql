-- The workflow run that made a sandbox: its readers are those of the run. Null: it belongs to a conversation, or to the workspace.
alter table sandboxes add column run_id uuid;
