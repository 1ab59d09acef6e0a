-- Columns of text whose values have all been brought into one form, sealed or plain, so that they are not searched every hour.
create table text_conversions (
  name text primary key,
  sealed boolean not null,
  finished_at timestamptz(3) not null
);

-- A message that is only stored in another form is not sent to its channel again.
drop trigger messages_told_to_channels on messages;
create trigger messages_told_to_channels after insert or update of parts on messages
  for each row when (new.role = 'assistant' and current_setting('atrium.converting_text', true) is distinct from 'on')
  execute function channel_tell_message();
