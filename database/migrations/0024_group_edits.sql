-- Groups are edited by several people: a change names the version it was made from.
alter table groups add column version integer not null default 1;

-- Who has a group among theirs, whatever the number of people.
create index user_groups_group on user_groups (merchant_id, group_id);
