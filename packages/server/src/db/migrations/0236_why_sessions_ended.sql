-- Why a session ended, for the browser that still sends its token. Rows go after a month.
create table ended_sessions (
  token_hash bytea primary key,
  reason text not null,
  ended_at timestamptz not null default now()
);
create index ended_sessions_by_time on ended_sessions (ended_at);

-- Who invited, so that the invitation can say it. Null for those from before, and for keys.
alter table one_time_links add column invited_by uuid references people (id) on delete set null;
