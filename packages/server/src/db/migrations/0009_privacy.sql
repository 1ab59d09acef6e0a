-- What the placeholders of a conversation stand for, sealed under the workspace's data key.
create table conversation_placeholders (
  workspace_id uuid not null,
  conversation_id uuid not null,
  sealed text not null,
  primary key (workspace_id, conversation_id),
  foreign key (workspace_id, conversation_id) references conversations (workspace_id, id) on delete cascade
);
