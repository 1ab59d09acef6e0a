-- runs with: 0150
-- The blob that the files of a sandbox are in, where nodes have no disk in common, and the node that uses them now.
alter table sandboxes
  add column files_id uuid,
  add column used_by uuid,
  add column used_until timestamptz;
