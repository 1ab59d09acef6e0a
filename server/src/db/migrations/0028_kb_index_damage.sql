-- A search has found the index torn: the base says so until it is built anew, or a search succeeds after all.
alter table knowledge_bases add column index_damaged boolean not null default false;
