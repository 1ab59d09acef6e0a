-- runs with: 0150
-- Terminals in sandboxes. The tables are not logged: what is typed and shown is in no log, replica or archive of logs, and
-- a crash of the database empties them, which ends the terminals.
create unlogged table sandbox_terminals (
  workspace_id uuid not null,
  id uuid not null,
  sandbox_id uuid not null,
  created_by text not null,
  rows integer not null,
  cols integer not null,
  -- open or ended
  status text not null default 'open',
  exit_code integer,
  reason text,
  created_at timestamptz(3) not null default now(),
  last_input_at timestamptz(3) not null default now(),
  -- The process that runs the terminal moves it on; an old one means that the process is gone.
  alive_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, sandbox_id) references sandboxes on delete cascade
);
create index sandbox_terminals_of_sandbox on sandbox_terminals (workspace_id, sandbox_id);
create index sandbox_terminals_by_life on sandbox_terminals (alive_at);

-- What waits for the process that runs the terminal, in the order of its numbers.
create unlogged table sandbox_terminal_input (
  workspace_id uuid not null,
  terminal_id uuid not null,
  seq bigint generated always as identity,
  id uuid not null,
  -- text, size or end
  kind text not null,
  text text not null,
  bytes integer not null,
  primary key (workspace_id, terminal_id, seq),
  foreign key (workspace_id, terminal_id) references sandbox_terminals on delete cascade
);

create unlogged table sandbox_terminal_output (
  workspace_id uuid not null,
  terminal_id uuid not null,
  seq integer not null,
  -- The characters before it.
  start_at bigint not null,
  text text not null,
  primary key (workspace_id, terminal_id, seq),
  foreign key (workspace_id, terminal_id) references sandbox_terminals on delete cascade
);
