-- Every record that is changed by PATCH has a version and the actor of its last change, so that a client that names the
-- version it has seen does not overwrite a newer one.

-- Transactions of a request set `atrium.actor`.
create function current_actor() returns uuid language sql stable as $$
  select nullif(current_setting('atrium.actor', true), '')::uuid
$$;

-- In microseconds. Rises with every change, also of two in one microsecond or after the clock was set back.
create function first_etag() returns bigint language sql volatile as $$
  select (extract(epoch from clock_timestamp()) * 1000000)::bigint
$$;
create function move_etag() returns trigger language plpgsql as $$ begin
  new.etag := greatest(old.etag + 1, first_etag());
  new.etag_by := current_actor();
  return new;
end $$;

-- These have an etag that the program moves on; only the actor is missing.
create function note_etag_actor() returns trigger language plpgsql as $$ begin
  new.etag_by := current_actor();
  return new;
end $$;

do $$ declare named text; begin
  foreach named in array array['agents', 'conversations', 'deployments'] loop
    execute format('alter table %I add column etag_by uuid', named);
    execute format('alter table %I alter column etag_by set default current_actor()', named);
    execute format('create trigger note_etag_actor before update of etag_ms, etag_seq on %I
      for each row execute function note_etag_actor()', named);
  end loop;

  foreach named in array array['api_keys', 'budgets', 'evaluations', 'identity_providers', 'kb_documents', 'kb_sites',
    'knowledge_bases', 'mcp_servers', 'memories', 'model_presets', 'people', 'provider_accounts', 'roles',
    'service_accounts', 'sign_in_policies', 'tables', 'triggers', 'user_groups', 'variables', 'vault_credentials',
    'webhooks', 'workflow_versions', 'workflows', 'workspaces'] loop
    -- Rows from before all have the same version; the id tells them apart.
    execute format('alter table %I add column etag bigint not null default 1, add column etag_by uuid', named);
    execute format('alter table %I alter column etag set default first_etag(),
      alter column etag_by set default current_actor()', named);
  end loop;

  -- Jobs that only note what they have done leave `updated_at` of these alone.
  foreach named in array array['budgets', 'evaluations', 'identity_providers', 'mcp_servers', 'memories',
    'model_presets', 'people', 'provider_accounts', 'roles', 'service_accounts', 'tables', 'triggers',
    'user_groups', 'variables', 'vault_credentials', 'webhooks', 'workflows', 'workspaces'] loop
    execute format('create trigger move_etag before update of updated_at on %I
      for each row execute function move_etag()', named);
  end loop;
end $$;

create trigger move_etag before update on sign_in_policies for each row execute function move_etag();
create trigger move_etag before update of graph_id on workflow_versions for each row execute function move_etag();

-- Training, crawls and requests write to these all the time: only what a caller can set counts.
create trigger move_etag before update on api_keys for each row
  when ((old.name, old.permissions, old.role_id, old.rate_limit, old.expires_at, old.person_id, old.service_account_id)
    is distinct from
    (new.name, new.permissions, new.role_id, new.rate_limit, new.expires_at, new.person_id, new.service_account_id))
  execute function move_etag();
create trigger move_etag before update on knowledge_bases for each row
  when ((old.name, old.description, old.document_types, old.version, old.meta::text, old.settings::text)
    is distinct from (new.name, new.description, new.document_types, new.version, new.meta::text, new.settings::text))
  execute function move_etag();
create trigger move_etag before update on kb_documents for each row
  when ((old.name, old.prefix, old.given_prefix, old.doc_metadata::text, old.visible_to)
    is distinct from (new.name, new.prefix, new.given_prefix, new.doc_metadata::text, new.visible_to))
  execute function move_etag();
create trigger move_etag before update on kb_sites for each row
  when ((old.given_prefix, old.depth, old.max_pages, old.schedule, old.on_gone, old.visible_to)
    is distinct from (new.given_prefix, new.depth, new.max_pages, new.schedule, new.on_gone, new.visible_to))
  execute function move_etag();

-- Who changed a row of a table last. The version of a row is the transaction that wrote it (xmin); a row that was written
-- in another way since has another one.
create table table_row_changes (
  workspace_id uuid not null,
  table_id uuid not null,
  row_id text not null,
  xmin_after xid not null,
  changed_at timestamptz(3) not null default now(),
  changed_by uuid,
  primary key (workspace_id, table_id, row_id),
  foreign key (workspace_id, table_id) references tables on delete cascade
);
