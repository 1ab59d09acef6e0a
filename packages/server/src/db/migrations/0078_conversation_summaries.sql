-- The summary that stands for the oldest messages of a conversation when models read it, and the newest message that it
-- covers. JSON text, stored as the messages are. It counts only while no branch has replaced that message.
alter table conversations add column summary text;
alter table conversations add column summary_message_id uuid;
