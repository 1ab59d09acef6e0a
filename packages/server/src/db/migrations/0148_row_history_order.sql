-- The order of the changes of a row. Ids of changes have the clock of the node that made them; this is given by the database
-- while the row is locked. Changes from before keep the order of their ids.
create sequence table_row_history_seq;
alter table table_row_history add column seq bigint;
update table_row_history h set seq = placed.seq
from (
  select workspace_id, table_id, row_id, change_id, row_number() over (order by change_id, table_id, row_id) as seq
  from table_row_history) placed
where h.workspace_id = placed.workspace_id and h.table_id = placed.table_id and h.row_id = placed.row_id
  and h.change_id = placed.change_id;
select setval('table_row_history_seq', coalesce(max(seq), 0) + 1, false) from table_row_history;
alter table table_row_history
  alter column seq set not null,
  alter column seq set default nextval('table_row_history_seq');
alter sequence table_row_history_seq owned by table_row_history.seq;
create index table_row_history_in_order on table_row_history (workspace_id, table_id, row_id, seq);
