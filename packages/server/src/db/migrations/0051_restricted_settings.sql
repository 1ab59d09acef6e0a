-- Settings (actions, tools, mcp_servers, databases) whose last saver lacked variables_read: secrets without allowed_hosts
-- are not filled into them.
alter table agent_versions add column restricted_settings text[] not null default '{}';
alter table agents add column draft_restricted_settings text[] not null default '{}';
alter table conversations add column restricted_settings text[] not null default '{}';

update agent_versions set restricted_settings = '{actions,tools,mcp_servers,databases}'
where rights is not null and not rights && '{variables_read,workspace_admin,org:admin}';

-- Who saved drafts and the settings of conversations was not recorded. Where every key of the workspace holds
-- variables_read, its holders did; elsewhere they have to be saved again.
create temporary table weak_workspaces on commit drop as
  select distinct workspace_id from api_keys where not permissions && '{variables_read,workspace_admin,org:admin}';
update agents set draft_restricted_settings = '{actions,tools,mcp_servers,databases}'
where draft_definition is not null and workspace_id in (select workspace_id from weak_workspaces);
update conversations set restricted_settings = '{actions,tools,mcp_servers,databases}'
where settings ~ '"(actions|tools|mcp_servers|databases)":' and workspace_id in (select workspace_id from weak_workspaces);
