-- How many bytes of files an organisation, a workspace, a public page and a visitor keep.

create table byte_accounts (
  tenant_id uuid not null references tenants on delete cascade,
  -- None for the organisation itself.
  workspace_id uuid references workspaces on delete cascade,
  kind text not null check (kind in ('organization', 'workspace', 'page', 'visitor')),
  id text not null,
  bytes bigint not null default 0,
  primary key (tenant_id, kind, id)
);
create index byte_accounts_by_workspace on byte_accounts (workspace_id);

-- Bytes that are charged and not a file yet: of uploads that are under way, or that a crash has ended.
create table file_uploads (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  bytes bigint not null,
  kinds text[] not null,
  account_ids text[] not null,
  started_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);

alter table files
  -- The accounts it is charged to besides those of its workspace, so that they are freed with it.
  add column charged_kinds text[] not null default '{}',
  add column charged_ids text[] not null default '{}';

insert into byte_accounts (tenant_id, workspace_id, kind, id, bytes)
select w.tenant_id, w.id, 'workspace', w.id::text, sum(f.size)
from files f join workspaces w on w.id = f.workspace_id group by w.tenant_id, w.id;
insert into byte_accounts (tenant_id, kind, id, bytes)
select w.tenant_id, 'organization', w.tenant_id::text, sum(f.size)
from files f join workspaces w on w.id = f.workspace_id group by w.tenant_id;

-- Charges an upload with more bytes, or gives some back, on all its accounts or on none. Rows are locked in one order, so
-- that two uploads never wait for each other. Returns no row on success, else the account that has no room.
create function charge_bytes(
  tenant uuid, workspace uuid, upload uuid, account_kinds text[], accounts text[], most bigint[], amount bigint
) returns table (full_kind text, kept bigint) language plpgsql as $$
begin
  insert into byte_accounts (tenant_id, workspace_id, kind, id)
  select tenant, case when a.kind <> 'organization' then workspace end, a.kind, a.id
  from unnest(account_kinds, accounts) as a (kind, id) on conflict do nothing;
  perform 1 from byte_accounts b join unnest(account_kinds, accounts) as a (kind, id) on a.kind = b.kind and a.id = b.id
    where b.tenant_id = tenant order by b.kind, b.id for no key update of b;
  if amount > 0 then
    return query
      select b.kind, b.bytes from byte_accounts b
      join unnest(account_kinds, accounts, most) as a (kind, id, most) on a.kind = b.kind and a.id = b.id
      where b.tenant_id = tenant and a.most > 0 and b.bytes + amount > a.most limit 1;
    if found then return; end if;
  end if;
  update byte_accounts b set bytes = greatest(0, b.bytes + amount)
  from unnest(account_kinds, accounts) as a (kind, id)
  where b.tenant_id = tenant and b.kind = a.kind and b.id = a.id;
  if upload is not null then
    insert into file_uploads (workspace_id, id, bytes, kinds, account_ids)
    values (workspace, upload, amount, account_kinds, accounts)
    on conflict (workspace_id, id) do update set bytes = file_uploads.bytes + excluded.bytes;
  end if;
end $$;

-- A workspace that is deleted takes its files along.
create function free_organization() returns trigger language plpgsql as $$
begin
  update byte_accounts set bytes = greatest(0, bytes - old.bytes)
  where tenant_id = old.tenant_id and kind = 'organization' and id = old.tenant_id::text;
  return null;
end $$;
create trigger workspace_bytes_freed after delete on byte_accounts
  for each row when (old.kind = 'workspace') execute function free_organization();
