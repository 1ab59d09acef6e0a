-- What people are still asked in a workspace, the latest first.
create index human_requests_pending on human_requests (workspace_id, id desc) where status = 'pending';
create index workflow_approvals_pending on workflow_approvals (workspace_id, id desc) where decision is null;
