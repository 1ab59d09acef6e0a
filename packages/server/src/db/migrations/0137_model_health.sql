-- Models whose last calls in a workspace failed. A call that succeeds deletes the row; nearly always there is none.
create table model_health (
  workspace_id uuid not null references workspaces on delete cascade,
  model text not null,
  failures integer not null,
  -- Set after three failures in a row: a single one may be the fault of the request.
  failing_since timestamptz(3),
  primary key (workspace_id, model)
);

create function note_model_health() returns trigger language plpgsql as $$
declare changed record;
begin
  -- In the order of the names, so that two statements never wait for each other.
  for changed in
    select workspace_id, model, count(*) as failures from called where status = 'failed'
    group by workspace_id, model order by workspace_id, model
  loop
    insert into model_health as h (workspace_id, model, failures)
      values (changed.workspace_id, changed.model, changed.failures)
      on conflict (workspace_id, model) do update set failures = least(h.failures + excluded.failures, 1000);
    update model_health set failing_since = now()
      where workspace_id = changed.workspace_id and model = changed.model and failures >= 3 and failing_since is null;
    if found then
      perform publish_live(changed.workspace_id, 'model.failing', json_build_object('model_id', changed.model));
    end if;
  end loop;
  for changed in
    delete from model_health h using (select distinct workspace_id, model from called where status = 'ok') as good
    where h.workspace_id = good.workspace_id and h.model = good.model
    returning h.workspace_id, h.model, h.failing_since
  loop
    if changed.failing_since is not null then
      perform publish_live(changed.workspace_id, 'model.recovered', json_build_object('model_id', changed.model));
    end if;
  end loop;
  return null;
end
$$;
create trigger model_calls_health after insert on model_calls
  referencing new table as called for each statement execute function note_model_health();
