-- What is due is taken webhook by webhook, so that one that is slow does not stand in front of the others.
drop index webhook_deliveries_due;
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at) where status = 'pending';
