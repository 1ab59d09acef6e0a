-- A link that an administrator made and one that was mailed stand beside each other: anybody can ask for the second.
drop index one_reset_of_person;
create unique index one_reset_of_person on one_time_links (person_id, mailed) where kind = 'reset';
