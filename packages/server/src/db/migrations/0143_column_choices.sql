-- The values that a column of texts may have, with their labels: [{"value": "new", "label": "New"}]. The table itself has
-- them as a check too.
alter table table_columns add column choices json;
