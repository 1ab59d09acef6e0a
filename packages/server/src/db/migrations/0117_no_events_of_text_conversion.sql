-- Text that is only stored in another form is no event: triggers that see a changed name would publish one.
create function skip_event() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger outbox_without_conversions before insert on outbox
  for each row when (current_setting('atrium.converting_text', true) = 'on') execute function skip_event();
