-- A step's approval that the caller who asked has taken back; the step goes on as after a rejection.
alter table workflow_approvals add column withdrawn boolean not null default false;
