-- Links to conversations may end by themselves, and may be for reading only. Tags are the workspace's.
alter table conversations
  add column public_until timestamptz(3),
  add column public_read_only boolean not null default false,
  add column tags text[] not null default '{}';
create index conversations_by_tag on conversations using gin (tags) where tags <> '{}';

-- What a person has marked: pinned, archived, and how many messages there were when they last read it.
create table conversation_marks (
  person_id uuid not null references people (id) on delete cascade,
  workspace_id uuid not null,
  conversation_id uuid not null,
  pinned_at timestamptz(3),
  archived_at timestamptz(3),
  -- Null: never marked as read. -1: marked as unread.
  read_count integer,
  primary key (person_id, workspace_id, conversation_id),
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
);
create index conversation_marks_of_conversation on conversation_marks (workspace_id, conversation_id);
create index conversation_marks_pinned on conversation_marks (person_id, workspace_id, conversation_id)
  where pinned_at is not null;
create index conversation_marks_archived on conversation_marks (person_id, workspace_id, conversation_id)
  where archived_at is not null;

-- Conversations from before are read.
insert into conversation_marks (person_id, workspace_id, conversation_id, read_count)
select c.person_id, c.workspace_id, c.id, c.message_count from conversations c join people p on p.id = c.person_id;
