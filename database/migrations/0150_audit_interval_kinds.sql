-- Intervals by counters that exist since the last reset alone, and files that are older than the reading before them.
-- Not validated: the constraint before allowed a part of these kinds, so that no row has to be read.
alter table audit_intervals drop constraint audit_intervals_kind_check;
alter table audit_intervals add constraint audit_intervals_kind_check
  check (kind in ('first', 'counted', 'sinceReset', 'rolledOver', 'partlyReset', 'reset', 'boardSwapped', 'otherCurrency', 'notReported', 'older'))
  not valid;
