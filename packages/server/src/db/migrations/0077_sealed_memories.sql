-- Memories keep the original text, sealed. Rows from before hold plain text, with names of entities in place of personal data
-- that can't be brought back; they are sealed when they are read, or by a job.
alter table memories drop column words;
alter table memories alter column text drop not null;
alter table memories add column sealed text;
alter table memories add check ((text is null) <> (sealed is null));
create index memories_unsealed on memories (workspace_id, id) where text is not null;
