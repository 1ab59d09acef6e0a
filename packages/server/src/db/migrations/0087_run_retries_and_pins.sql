-- The run under whose id the effects of the steps are stored; null: its own. A retry uses that of the run it retries,
-- unless the definition has changed: its steps then have effects of their own.
alter table workflow_runs add column effects_of uuid;
update workflow_runs set effects_of = retry_of where retry_of is not null;
-- Outputs that the caller gave for some nodes, which are then not executed: {"<node id>": {"<output>": value}}.
alter table workflow_runs add column pinned_outputs json;
