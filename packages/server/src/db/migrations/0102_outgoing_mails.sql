-- Mails to people that are on their way. Each brings a link and goes with it when the link is used, revoked or over.
create table outgoing_mails (
  id uuid primary key,
  tenant_id uuid not null references tenants (id) on delete cascade,
  link_id uuid not null references one_time_links (id) on delete cascade,
  -- Address, subject and text, which has the secret of the link.
  sealed text not null,
  created_at timestamptz not null default now()
);
create index outgoing_mails_of_link on outgoing_mails (link_id);

alter table one_time_links add column mailed boolean not null default false;
