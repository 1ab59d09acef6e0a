-- The audit log: one row for each change of configuration, written by the transaction that makes the change. Rows have
-- ids of people and never their names, so that erasing a person changes no row.
create table audit_log (
  id uuid primary key,
  tenant_id uuid not null,
  -- Null: the organization itself.
  workspace_id uuid,
  at timestamptz not null default date_trunc('milliseconds', clock_timestamp()),
  -- The id of the operation in the contract, or of a job.
  operation text not null,
  outcome text not null check (outcome in ('done', 'refused')),
  -- The code of the answer that refused.
  reason text,
  actor_kind text not null,
  actor_id text not null,
  person_id uuid,
  session_id uuid,
  target_kind text,
  target_id text,
  -- The record that the target belongs to.
  parent_kind text,
  parent_id text,
  -- As text and not as jsonb: the chain is computed over these very characters.
  before json,
  after json,
  address text,
  user_agent text,
  request_id text,
  -- More than 1 for refusals that are counted together, which lasted from first_at to last_at.
  count integer not null default 1,
  first_at timestamptz,
  last_at timestamptz
);
create index audit_log_by_time on audit_log (tenant_id, at, id);
create index audit_log_by_workspace on audit_log (tenant_id, workspace_id, at, id);
create index audit_log_by_actor on audit_log (tenant_id, actor_id, at, id);
create index audit_log_by_person on audit_log (tenant_id, person_id, at, id) where person_id is not null;
create index audit_log_by_operation on audit_log (tenant_id, operation, at, id);
create index audit_log_by_target on audit_log (tenant_id, target_id, at, id) where target_id is not null;
create index audit_log_by_parent on audit_log (tenant_id, parent_id, at, id) where parent_id is not null;
create index audit_log_refused on audit_log (tenant_id, at, id) where outcome = 'refused';

-- Names of actors and targets as they were last seen, joined when rows are read.
create table audit_names (
  tenant_id uuid not null,
  kind text not null,
  id text not null,
  name text not null,
  primary key (tenant_id, kind, id)
);

-- Rows that are committed and not linked yet; inserted with the row, deleted with the link. No order of commits and no
-- restored backup makes the follower miss a row.
create table audit_unlinked (row_id uuid primary key);

-- One chain for each workspace (chain_id is its id) and one for each organization (the id of the tenant).
create table audit_chains (
  chain_id uuid primary key,
  tenant_id uuid not null,
  -- The last link.
  position bigint not null default 0,
  hash bytea not null,
  -- The last link that retention has deleted; the chain is verified from its hash on.
  deleted_position bigint not null default 0,
  deleted_hash bytea not null
);

create table audit_links (
  chain_id uuid not null,
  position bigint not null,
  row_id uuid not null unique,
  hash bytea not null,
  primary key (chain_id, position)
);

create function audit_refuse_change() returns trigger language plpgsql as $$ begin
  raise exception 'The audit log is append-only' using errcode = 'insufficient_privilege';
end $$;

-- Only what retention has put behind the checkpoint of its chain may be deleted.
create function audit_refuse_deletion() returns trigger language plpgsql as $$ begin
  if tg_table_name = 'audit_log' then
    if exists (
      select 1 from audit_links l join audit_chains c on c.chain_id = l.chain_id
      where l.row_id = old.id and l.position <= c.deleted_position) then return old; end if;
  elsif exists (
    select 1 from audit_chains c where c.chain_id = old.chain_id and old.position <= c.deleted_position
      and not exists (select 1 from audit_log r where r.id = old.row_id)) then return old;
  end if;
  raise exception 'The audit log is append-only' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_log_append_only before update on audit_log for each row execute function audit_refuse_change();
create trigger audit_log_no_truncate before truncate on audit_log execute function audit_refuse_change();
create trigger audit_log_retention before delete on audit_log for each row execute function audit_refuse_deletion();
create trigger audit_links_append_only before update on audit_links for each row execute function audit_refuse_change();
create trigger audit_links_no_truncate before truncate on audit_links execute function audit_refuse_change();
create trigger audit_links_retention before delete on audit_links for each row execute function audit_refuse_deletion();
