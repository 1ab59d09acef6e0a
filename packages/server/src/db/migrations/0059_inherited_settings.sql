-- What the conversation that asked is held to, for the conversations of its co-workers, subagents and workflows.
alter table conversations add column inherits jsonb;
