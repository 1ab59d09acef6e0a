-- Single documents, passages and runs by what makes them single. All other indexes of these tables begin with the workspace and
-- the base, and as long as PostgreSQL has not counted a base it takes it for one row: any of them then looks as good as the
-- key, and the whole base is walked through for one document, also for every check of a foreign key.
create unique index kb_documents_by_id on kb_documents (id);
create unique index kb_chunks_by_id on kb_chunks (id);
create unique index kb_runs_by_id on kb_runs (id);
