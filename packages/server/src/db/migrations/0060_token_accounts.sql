-- Token limits that hold for a conversation and everything that it has done by others.

alter table conversations
  -- Tokens that calls under way may still use. With tokens_used never more than the limit.
  add column tokens_reserved bigint not null default 0,
  -- Model calls of the run that is under way, those of runs that it waits for included.
  add column run_calls integer not null default 0,
  -- The conversations that asked for this one, directly or through others: what is used here counts there too.
  add column charged_to uuid[];
create index conversations_reserving on conversations (workspace_id) where tokens_reserved > 0;

alter table runs
  -- Its part of what is reserved; given back when it ends, whoever carries it then.
  add column tokens_held bigint not null default 0,
  -- Of the usage in its log, what the accounts were charged with before its end.
  add column usage_settled bigint not null default 0;
create index runs_holding on runs (workspace_id) where tokens_held > 0;

alter table workflow_runs add column tokens_held bigint not null default 0;
create index workflow_runs_holding on workflow_runs (workspace_id) where tokens_held > 0;

-- Reserves, settles and gives back tokens on several accounts at once: all of it or nothing. Accounts are locked in the
-- order of their ids, so that two calls never wait for each other. Returns no row on success, else the first account
-- that has no room. Accounts that were deleted are passed over.
create function charge_accounts(
  workspace uuid, accounts uuid[], most_tokens bigint[], most_calls bigint[],
  take bigint, give bigint, spent bigint, settled bigint, more_calls integer,
  holder_kind text, holder uuid
) returns table (account uuid, used bigint, reserved bigint, calls_made integer) language plpgsql as $$
declare
  known bigint;
  back bigint := give;
begin
  perform 1 from conversations c where c.workspace_id = workspace and c.id = any(accounts)
    order by c.id for no key update;
  -- A run that was taken over in between has given back what it held already.
  if holder_kind = 'run' then
    select r.tokens_held into known from runs r where r.workspace_id = workspace and r.id = holder for no key update;
  else
    select r.tokens_held into known from workflow_runs r where r.workspace_id = workspace and r.id = holder
      for no key update;
  end if;
  if known is not null then back := least(back, known); end if;
  if take > 0 then
    return query
      select c.id, c.tokens_used + spent, greatest(0, c.tokens_reserved - back), c.run_calls
      from unnest(accounts, most_tokens, most_calls) as a (id, tokens, calls)
      join conversations c on c.workspace_id = workspace and c.id = a.id
      where c.tokens_used + spent + greatest(0, c.tokens_reserved - back) + take > a.tokens
        or (more_calls > 0 and c.run_calls + more_calls > a.calls)
      limit 1;
    if found then return; end if;
  end if;
  update conversations c set
    tokens_used = c.tokens_used + spent,
    tokens_reserved = greatest(0, c.tokens_reserved - back) + take,
    run_calls = greatest(0, c.run_calls + more_calls)
  where c.workspace_id = workspace and c.id = any(accounts);
  if holder_kind = 'run' then
    update runs r set tokens_held = r.tokens_held - back + take, usage_settled = r.usage_settled + settled
    where r.workspace_id = workspace and r.id = holder;
  else
    update workflow_runs r set tokens_held = r.tokens_held - back + take
    where r.workspace_id = workspace and r.id = holder;
  end if;
end $$;
