-- runs with: 0150
-- Which request holds an Idempotency-Key. A claim with an id is renewed every few seconds; one without was made by an older
-- program and holds for 150 seconds.
alter table idempotency_keys add column claim uuid;
