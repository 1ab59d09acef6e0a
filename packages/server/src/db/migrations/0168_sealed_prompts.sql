-- runs with: 0150
-- Prompts are compressed before they are encrypted: PostgreSQL need not try to compress them again.
alter table call_prompts alter column sealed set storage external;
