-- What the model was sent of each file of a message when it was answered last, by file id: whole, summary and so on.
alter table messages add column sent_files json;
