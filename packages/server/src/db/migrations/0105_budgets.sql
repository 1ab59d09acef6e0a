-- Budgets: how much money and how many tokens model calls may use in a day or a month. Money is in billionths of a US
-- dollar, so that sums are exact.
create table budgets (
  id uuid primary key,
  tenant_id uuid not null references tenants (id) on delete cascade,
  -- Null: the whole organization.
  workspace_id uuid references workspaces (id) on delete cascade,
  agent_id uuid,
  key_id uuid,
  -- The first key of the line that key_id was rotated from.
  key_line uuid,
  person_id uuid references people (id) on delete cascade,
  name text not null,
  period text not null check (period in ('day', 'month')),
  time_zone text not null,
  max_nano bigint,
  max_tokens bigint,
  warn_at integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (num_nonnulls(agent_id, key_id, person_id) <= 1),
  check (num_nonnulls(max_nano, max_tokens) >= 1)
);
create index budgets_of_tenant on budgets (tenant_id, id);
create index budgets_of_workspace on budgets (workspace_id) where workspace_id is not null;
create index budgets_of_person on budgets (person_id) where person_id is not null;

-- What is used and reserved in one day or month of a budget. used + reserved never passes the limit, except by what a
-- provider uses beyond the reservation, which is counted as over too.
create table budget_periods (
  budget_id uuid not null references budgets (id) on delete cascade,
  -- The first day, as the time zone of the budget counts days.
  starts_on date not null,
  tokens_used bigint not null default 0,
  tokens_reserved bigint not null default 0,
  tokens_over bigint not null default 0,
  nano_used bigint not null default 0,
  nano_reserved bigint not null default 0,
  nano_over bigint not null default 0,
  warned_at timestamptz,
  reached_at timestamptz,
  primary key (budget_id, starts_on)
);

-- The reservation of one model call on each of its budgets. A row that is left by a process that died counts as used.
create table budget_holds (
  id uuid not null,
  budget_id uuid not null,
  starts_on date not null,
  node_id uuid not null,
  tokens bigint not null,
  nano bigint not null,
  primary key (id, budget_id),
  foreign key (budget_id, starts_on) references budget_periods (budget_id, starts_on) on delete cascade
);
create index budget_holds_of_period on budget_holds (budget_id, starts_on);
create index budget_holds_of_node on budget_holds (node_id);

-- The processes that hold reservations, and until when they are known to live.
create table budget_nodes (
  id uuid primary key,
  expires_at timestamptz not null
);

-- Publishes that a budget was warned of or reached. Without figures: who reads webhooks may not see those.
create function publish_budget(budget uuid, day date, happened text) returns void language sql as $$
  insert into outbox (workspace_id, event, subject_id, cause, data)
  select w.id, happened, b.id, null,
    json_build_object('budget_id', b.id, 'name', b.name, 'period', b.period, 'period_starts_on', day)
  from budgets b join workspaces w on w.tenant_id = b.tenant_id and (b.workspace_id is null or w.id = b.workspace_id)
  where b.id = budget and someone_listens(w.id, happened)
$$;

-- Reserves a call on all of its budgets, or on none: the input and as much of the wanted output as is left, at least
-- `least_output`. Rows are locked in the order of their ids, so that two calls never wait for each other. Budgets that
-- were deleted are passed over. Without a grant, `waits` says that other calls hold the room and may give it back.
create function reserve_budgets(
  hold uuid, node uuid, ids uuid[], days date[], input bigint, wanted bigint, least_output bigint,
  nano_in numeric, nano_out numeric, patient boolean
) returns table (granted bigint, budget uuid, waits boolean, is_new boolean) language plpgsql as $$
declare
  line record;
  room bigint;
  -- The room if no other call held any.
  free_room bigint;
  least_room bigint := wanted;
  least_free bigint := wanted;
  tightest uuid;
  tight_day date;
  is_small boolean := false;
  fresh boolean := false;
begin
  perform 1 from budgets b where b.id = any(ids) order by b.id for key share;
  insert into budget_periods (budget_id, starts_on)
    select b.id, p.day from unnest(ids, days) as p (id, day) join budgets b on b.id = p.id order by b.id
    on conflict do nothing;
  perform 1 from unnest(ids, days) as p (id, day)
    join budget_periods u on u.budget_id = p.id and u.starts_on = p.day order by u.budget_id for no key update of u;
  for line in
    select u.*, b.max_tokens, b.max_nano from unnest(ids, days) as p (id, day)
    join budgets b on b.id = p.id
    join budget_periods u on u.budget_id = p.id and u.starts_on = p.day order by u.budget_id
  loop
    select least(wanted, line.max_tokens - line.tokens_used - line.tokens_reserved - input,
        budget_room(line.max_nano - line.nano_used - line.nano_reserved, input, wanted, nano_in, nano_out)),
      least(wanted, line.max_tokens - line.tokens_used - input,
        budget_room(line.max_nano - line.nano_used, input, wanted, nano_in, nano_out))
    into room, free_room;
    if line.reached_at is not null then
      room := -1;
      free_room := -1;
    end if;
    least_free := least(least_free, free_room);
    if room < least_room then
      least_room := room;
      tightest := line.budget_id;
      tight_day := line.starts_on;
      -- Little is left, or little was asked for: calls like this one will find no room either.
      is_small := coalesce(line.tokens_used >= 0.9 * line.max_tokens, false)
        or coalesce(line.nano_used >= 0.9 * line.max_nano, false)
        or ((line.max_tokens is null or input + least_output <= 0.1 * line.max_tokens)
          and (line.max_nano is null or nano_in is null
            or input * nano_in + least_output * nano_out <= 0.1 * line.max_nano));
    end if;
  end loop;

  if least_room < wanted and patient and least_free > least_room and least_free >= least_output then
    return query select null::bigint, tightest, true, false;
    return;
  end if;
  if least_room < least_output then
    if least_free < least_output and is_small then
      update budget_periods u set reached_at = now()
        where u.budget_id = tightest and u.starts_on = tight_day and u.reached_at is null;
      fresh := found;
      if fresh then perform publish_budget(tightest, tight_day, 'budget.reached'); end if;
    end if;
    return query select null::bigint, tightest, false, fresh;
    return;
  end if;

  with held as (
    insert into budget_holds (id, budget_id, starts_on, node_id, tokens, nano)
    select hold, u.budget_id, u.starts_on, node, input + least_room,
      coalesce(ceil(input * nano_in + least_room * nano_out), 0)::bigint
    from unnest(ids, days) as p (id, day) join budget_periods u on u.budget_id = p.id and u.starts_on = p.day
    returning *)
  update budget_periods u set tokens_reserved = u.tokens_reserved + held.tokens,
    nano_reserved = u.nano_reserved + held.nano
  from held where u.budget_id = held.budget_id and u.starts_on = held.starts_on;
  return query select least_room, tightest, false, false;
end $$;

-- How many output tokens the money pays for after the input; null where money does not count.
create function budget_room(nano bigint, input bigint, wanted bigint, nano_in numeric, nano_out numeric)
returns bigint immutable language sql as $$
  select case
    when nano is null or nano_in is null then null
    when nano < ceil(input * nano_in) then -1
    when nano_out = 0 then wanted
    else least(wanted, floor((nano - input * nano_in) / nano_out)::bigint)
  end
$$;

-- Puts what a call used in the place of its reservation, once. Without figures all of the reservation counts as used.
-- Returns the budgets that have come to their warning or their limit by it.
create function settle_budgets(hold uuid, tokens bigint, nano bigint)
returns table (budget uuid, event text) language plpgsql as $$
declare
  line record;
begin
  perform 1 from budget_holds h join budget_periods u on u.budget_id = h.budget_id and u.starts_on = h.starts_on
    where h.id = hold order by u.budget_id for no key update of u;
  for line in
    with gone as (delete from budget_holds h where h.id = hold returning h.*)
    update budget_periods u set
      tokens_reserved = u.tokens_reserved - gone.tokens,
      tokens_used = u.tokens_used + coalesce(settle_budgets.tokens, gone.tokens),
      tokens_over = u.tokens_over + greatest(0, coalesce(settle_budgets.tokens, 0) - gone.tokens),
      nano_reserved = u.nano_reserved - gone.nano,
      nano_used = u.nano_used + coalesce(settle_budgets.nano, gone.nano),
      nano_over = u.nano_over + greatest(0, coalesce(settle_budgets.nano, 0) - gone.nano)
    from gone, budgets b where u.budget_id = gone.budget_id and u.starts_on = gone.starts_on and b.id = gone.budget_id
    returning u.*, b.max_tokens, b.max_nano, b.warn_at
  loop
    if line.warned_at is null and (coalesce(line.tokens_used * 100 >= line.max_tokens * line.warn_at, false)
        or coalesce(line.nano_used * 100.0 >= line.max_nano::numeric * line.warn_at, false)) then
      update budget_periods u set warned_at = now() where u.budget_id = line.budget_id and u.starts_on = line.starts_on;
      perform publish_budget(line.budget_id, line.starts_on, 'budget.warned');
      return query select line.budget_id, 'budget.warned';
    end if;
    if line.reached_at is null and (coalesce(line.tokens_used >= line.max_tokens, false)
        or coalesce(line.nano_used >= line.max_nano, false)) then
      update budget_periods u set reached_at = now() where u.budget_id = line.budget_id and u.starts_on = line.starts_on;
      perform publish_budget(line.budget_id, line.starts_on, 'budget.reached');
      return query select line.budget_id, 'budget.reached';
    end if;
  end loop;
end $$;
