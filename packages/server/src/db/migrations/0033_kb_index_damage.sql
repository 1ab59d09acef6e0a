-- A search has found the index torn: the base says so until it is built anew, or a search succeeds after all.
alter table knowledge_bases add column index_damaged boolean not null default false;

-- A passage of a PDF may begin on one page and end on the next.
alter table kb_chunks add column end_page int;
update kb_chunks set end_page = page where page is not null;
