-- All names of the actors who wrote what the model of a conversation is told besides messages: instructions in its
-- settings, variables, and answers in place of the agent. With four_eyes they do not decide on its calls.
alter table conversations add column shaped_by text[] not null default '{}';
