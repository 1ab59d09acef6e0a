import { setTimeout as sleep } from 'node:timers/promises';
import type { TestApp } from '../support/test-app.ts';

/**
 * Triggers count every inserted, updated or deleted row within its transaction, so rolled-back changes do not count.
 * They ignore a key's last use, a workspace's data key, which the server creates on demand, the audit log, which also has
 * refusals, and model requests, which the server stores asynchronously, as it does with the life and the output of terminals and
 * with the bytes that a workspace keeps.
 */
const counted = `
  create schema walk;
  create table walk.changes (id bigint generated always as identity primary key, what text not null,
    transaction xid not null default pg_current_xact_id()::xid);

  create function walk.note() returns trigger language plpgsql as $$ begin
    if tg_op = 'UPDATE' then
      if to_jsonb(old) - '{last_used_at,alive_at}'::text[] = to_jsonb(new) - '{last_used_at,alive_at}'::text[]
      then return null; end if;
    end if;
    insert into walk.changes (what) values (tg_op || ' ' || tg_table_name);
    return null;
  end $$;

  create function walk.watch(watched regclass) returns void language plpgsql as $$ begin
    execute format('create trigger walk_note after insert or update or delete on %s for each row execute function walk.note()', watched);
    execute format('create trigger walk_emptied after truncate on %s execute function walk.note()', watched);
  end $$;

  select walk.watch(c.oid) from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and (
    (n.nspname = 'public' and c.relname <> all('{data_keys,model_calls,call_prompts,sandbox_terminal_output,stored_bytes}') and c.relname not like 'audit\\_%')
    or (n.nspname = 'graphile_worker' and c.relname like '%jobs') or n.nspname like 'ws\\_%');

  -- Tables that users make come and go, and so do their columns.
  create function walk.note_shape() returns event_trigger language plpgsql as $$
    declare made record;
  begin
    insert into walk.changes (what) values (tg_tag);
    for made in select * from pg_event_trigger_ddl_commands() where command_tag = 'CREATE TABLE' and schema_name like 'ws\\_%'
    loop perform walk.watch(made.objid::regclass); end loop;
  end $$;
  create event trigger walk_shape on ddl_command_end
    when tag in ('CREATE TABLE', 'ALTER TABLE', 'DROP TABLE', 'CREATE SCHEMA', 'DROP SCHEMA') execute function walk.note_shape();`;

/** Answers which change was the last one: the same as before means that nothing was changed in between. */
export async function watchChanges({ query }: TestApp): Promise<() => Promise<string>> {
  await query(counted);
  return async () => {
    // Wait for workflow runs that earlier requests started.
    const running = "select 1 from workflow_runs where status in ('queued', 'running')";
    for (let tries = 0; tries < 6000 && (await query(running)).length > 0; tries++) await sleep(10);
    const [last] = await query("select id || ' ' || what as text from walk.changes order by id desc limit 1");
    return last?.text ?? 'none';
  };
}
