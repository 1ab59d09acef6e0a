-- An admin key whose value no start has printed yet: the next start that comes up gives it a new value and prints that.
alter table api_keys add column awaits_display boolean not null default false;
create unique index api_keys_awaits_display on api_keys (awaits_display) where awaits_display;
