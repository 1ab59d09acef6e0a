-- What operators look for among very many rows is what is rare, so that is what these indexes hold: what ends well, which is
-- nearly all, costs them nothing.
create index runs_ended_badly on runs (workspace_id, status, id desc) where status in ('failed', 'stopped');
create index workflow_runs_ended_badly on workflow_runs (workspace_id, status, id desc)
  where status in ('failed', 'stopped');
create index trigger_deliveries_failed on trigger_deliveries (workspace_id, trigger_id, id desc) where status = 'failed';
create index webhook_deliveries_failed on webhook_deliveries (workspace_id, webhook_id, id desc) where status = 'failed';

-- Lines about tool calls stay for good. Whose agent it was is known as long as the conversation is there.
alter table tool_calls add column assistant_id uuid;
update tool_calls t set assistant_id = c.assistant_id from conversations c
where c.workspace_id = t.workspace_id and c.id = t.conversation_id and c.assistant_id is not null;
create index tool_calls_by_conversation on tool_calls (workspace_id, conversation_id, id desc);
create index tool_calls_by_agent on tool_calls (workspace_id, assistant_id, id desc) where assistant_id is not null;
create index tool_calls_by_tool on tool_calls (workspace_id, tool, id desc);
create index tool_calls_ended_badly on tool_calls (workspace_id, outcome, id desc) where outcome <> 'ok';
