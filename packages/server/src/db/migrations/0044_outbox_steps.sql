-- What a channel has done of the piece that is being told, so that it goes on from there after a kill.
alter table channel_outbox add column steps json;
