-- The role of a person or of a group in a workspace has a version. Rows from before all have the same one.
alter table members add column etag bigint not null default 1, add column etag_by uuid;
alter table members alter column etag set default first_etag(), alter column etag_by set default current_actor();
create trigger move_etag before update on members for each row execute function move_etag();

alter table member_groups add column etag bigint not null default 1, add column etag_by uuid;
alter table member_groups alter column etag set default first_etag(), alter column etag_by set default current_actor();
create trigger move_etag before update on member_groups for each row execute function move_etag();
