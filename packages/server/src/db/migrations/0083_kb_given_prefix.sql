-- The folder of a document or site as the caller wrote it, for answers; null: as in `prefix`, which folders are matched by.
alter table kb_documents add column given_prefix text;
alter table kb_sites add column given_prefix text;
