-- What people think of a reply, or of a whole conversation. Whoever says it again replaces what they said before.

create table feedback (
  workspace_id uuid not null,
  conversation_id uuid not null,
  id uuid not null,
  -- None: it is about the whole conversation.
  message_id uuid,
  actor_kind text not null,
  actor_id uuid not null,
  rating text check (rating in ('up', 'down')),
  score smallint check (score between 1 and 5),
  comment text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, conversation_id, id),
  unique nulls not distinct (workspace_id, conversation_id, message_id, actor_id),
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
);

create view atrium_platform.feedback with (security_barrier = true) as
  select id, conversation_id, message_id, rating, score, comment, created_at, updated_at
  from feedback
  where workspace_id = (select workspace_id from table_spaces where role_name = current_user);

-- Workspaces whose role was made before this view see it too.
do $$
declare known record;
begin
  for known in select role_name from table_spaces join pg_roles on rolname = role_name loop
    execute format('grant select on atrium_platform.feedback to %I', known.role_name);
  end loop;
end $$;
