-- What an approval covers besides its own call: later calls of the tool, to the recipient, or of the conversation.
alter table human_requests
  add column scope text not null default 'once' check (scope in ('once', 'tool', 'recipient', 'conversation')),
  add column recipient text,
  -- The digest of the tool that was approved; a changed tool is not covered.
  add column definition text,
  add column scope_ended_at timestamptz;

create index human_requests_covering on human_requests (workspace_id, conversation_id)
  where status = 'approved' and scope <> 'once' and scope_ended_at is null;

-- The approval of the call itself, or the earlier one that covers it.
alter table tool_calls add column approval_id uuid;
