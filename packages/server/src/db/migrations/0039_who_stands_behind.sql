-- Of a key that was rotated: the first of its line. All of them are one and the same holder's.
alter table api_keys add column line uuid;

-- The keys of whoever fired it by hand, or had it delivered again.
alter table trigger_deliveries add column fired_by uuid[];
