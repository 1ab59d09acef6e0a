-- The run of a trigger that was fired by hand sees only conversations that its owner and the caller both see, and those
-- that it makes itself.
alter table trigger_deliveries add column fired_only_of uuid;
alter table conversations add column delivery_id uuid;
