-- runs with: 0150
-- Passages for everybody whose text has changed since the search model of the knowledge base was learned.
alter table knowledge_bases add column changed_passages integer not null default 0;
