-- Local: public calls that guess at secrets, counted by network in intervals, for all servers together. They may be lost with a crash.
create unlogged table call_counts (
  limit_name text not null,
  network text not null,
  since timestamptz not null,
  calls int not null,
  primary key (limit_name, network, since)
);
-- Counts of ended intervals are deleted.
create index call_counts_by_time on call_counts (since);
grant select, insert, update, delete on call_counts to gettone_system;
