-- How many pages the file has, known once one of them was drawn. Null: drawn before this was kept.
alter table file_previews add column pages integer;
