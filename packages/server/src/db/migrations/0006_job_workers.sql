-- Which workers are alive: what a dead one had begun is given back to the queue within about a minute.
create table job_workers (
  worker_id text primary key,
  seen_at timestamptz(3) not null
);
