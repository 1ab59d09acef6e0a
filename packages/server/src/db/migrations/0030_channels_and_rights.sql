-- How much came in through a deployment lately, in all and from one sender: a window begins with the first of it.
create table channel_rates (
  workspace_id uuid not null,
  deployment_id uuid not null,
  -- What is counted, and of whom.
  counted text not null,
  began_at timestamptz(3) not null,
  count integer not null,
  primary key (workspace_id, deployment_id, counted),
  foreign key (workspace_id, deployment_id) references deployments on delete cascade
);
create index channel_rates_old on channel_rates (began_at);

-- How many files of a reply have arrived, beside how much of its text.
alter table channel_outbox add column sent_files integer not null default 0;

-- What whoever answers for a version of an agent was allowed to: what runs it by itself may do no more. Null for one that
-- is older than this.
alter table agent_versions add column rights text[];
