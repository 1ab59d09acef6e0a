-- Lists are searched, sorted and filtered on indexes. Searches look for a text anywhere in a name.
create extension if not exists pg_trgm;

-- What a file or document is, as lists filter by it.
alter table files add column kind text generated always as (case
  when content_type like 'image/%' then 'image'
  when content_type like 'audio/%' then 'audio'
  when content_type like 'video/%' then 'video'
  when content_type = 'application/pdf' then 'pdf'
  when content_type like '%spreadsheet%' or content_type like '%ms-excel%' or content_type like 'text/csv%' then 'spreadsheet'
  when content_type like '%presentation%' or content_type like '%powerpoint%' then 'presentation'
  when content_type like '%wordprocessing%' or content_type like '%msword%' or content_type like '%opendocument.text%'
    or content_type like '%rtf%' then 'document'
  when content_type like 'text/%' or content_type like '%json%' or content_type like '%xml%' then 'text'
  else 'other' end) stored;
create index files_by_creation on files (workspace_id, created_at, id);
create index files_by_kind on files (workspace_id, kind, id desc);
create index files_by_name on files (workspace_id, lower(filename), id);
create index files_by_size on files (workspace_id, size, id);
create index files_search on files using gin (lower(filename) gin_trgm_ops);

alter table kb_documents add column kind text generated always as (case lower(substring(name from '\.([^./]{1,8})$'))
  when 'pdf' then 'pdf'
  when 'png' then 'image' when 'jpg' then 'image' when 'jpeg' then 'image' when 'gif' then 'image' when 'webp' then 'image'
  when 'svg' then 'image' when 'tif' then 'image' when 'tiff' then 'image' when 'bmp' then 'image'
  when 'mp3' then 'audio' when 'wav' then 'audio' when 'm4a' then 'audio' when 'ogg' then 'audio' when 'flac' then 'audio'
  when 'mp4' then 'video' when 'mov' then 'video' when 'webm' then 'video' when 'mkv' then 'video'
  when 'doc' then 'document' when 'docx' then 'document' when 'odt' then 'document' when 'rtf' then 'document'
  when 'xls' then 'spreadsheet' when 'xlsx' then 'spreadsheet' when 'ods' then 'spreadsheet' when 'csv' then 'spreadsheet'
  when 'ppt' then 'presentation' when 'pptx' then 'presentation' when 'odp' then 'presentation'
  when 'txt' then 'text' when 'md' then 'text' when 'html' then 'text' when 'htm' then 'text' when 'json' then 'text'
  when 'xml' then 'text' when 'yaml' then 'text' when 'yml' then 'text'
  else 'other' end) stored;
create index kb_documents_by_creation on kb_documents (workspace_id, kb_id, created_at, id);
create index kb_documents_by_kind on kb_documents (workspace_id, kb_id, kind, id desc);
create index kb_documents_by_name on kb_documents (workspace_id, kb_id, lower(name), id);
create index kb_documents_by_update on kb_documents (workspace_id, kb_id, updated_at, id);
create index kb_documents_by_size on kb_documents (workspace_id, kb_id, size, id);
create index kb_documents_search on kb_documents using gin (lower(name) gin_trgm_ops);

create index conversations_by_creation on conversations (workspace_id, created_at, id);
create index conversations_by_name on conversations (workspace_id, lower(name), id);
create index conversations_search on conversations using gin (lower(name) gin_trgm_ops);
create index conversations_by_channel on conversations (workspace_id, chat_transport, last_updated_at desc, id desc)
  where chat_transport is not null;
create index conversations_by_deployment on conversations (workspace_id, deployment_id, last_updated_at desc, id desc)
  where deployment_id is not null;
create index conversations_by_version on conversations (workspace_id, assistant_version_id, last_updated_at desc, id desc)
  where assistant_version_id is not null;
create index conversations_locked on conversations (workspace_id, last_updated_at desc, id desc) where is_locked;
create index feedback_of_conversations on feedback (workspace_id, rating, conversation_id) where rating is not null;
