-- Ids and names of the steps of a graph, for searches. A definition that cannot be read has none.
create function workflow_step_names(definition text) returns text language plpgsql immutable parallel safe as $$
begin
  return (select string_agg(concat_ws(' ', step ->> 'id', step ->> 'name'), E'\n')
    from json_array_elements(definition::json -> 'nodes') step);
exception when data_exception then
  return null;
end $$;

alter table workflow_graphs add column step_names text generated always as (workflow_step_names(definition)) stored;
create index workflow_graphs_search on workflow_graphs using gin (workspace_id, lower(step_names) gin_trgm_ops)
  where replaced_at is null;
