-- PostgreSQL bounds what an aggregate collects at 1 GB each. A condition on the aggregate counts it instead, for all
-- aggregates of a query together: https://www.postgresql.org/docs/current/sql-expressions.html#SYNTAX-AGGREGATES
create function atrium_platform.count_collected(value text, beside text default null) returns boolean
language plpgsql volatile parallel unsafe as $$
declare
  total bigint := coalesce(nullif(pg_catalog.current_setting('atrium.collected', true), '')::bigint, 0)
    + coalesce(pg_catalog.octet_length(value), 0) + coalesce(pg_catalog.octet_length(beside), 0) + 48;
begin
  if total > 16777216 then
    raise exception 'the aggregates of a query can not collect more than 16 MB' using errcode = '54000';
  end if;
  perform pg_catalog.set_config('atrium.collected', total::text, true);
  return true;
end $$;
grant execute on function atrium_platform.count_collected(text, text) to public;
