-- Mails that tell of a change of address or password are sent to people who were deactivated, too.
alter table outgoing_mails add column to_inactive boolean not null default false;
