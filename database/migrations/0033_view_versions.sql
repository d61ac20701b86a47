-- Views are edited in several tabs, and shared ones by several people: a change names the version it was made from.
alter table private_views add column version int not null default 1;
alter table shared_views add column version int not null default 1;
