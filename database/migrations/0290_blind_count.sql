-- Collections are counted without sight of what is expected.
alter table merchants add column counts_blind boolean not null default false;
-- Read for every request: merchants that count blind are few.
create index merchants_blind on merchants (id) where counts_blind;

-- The kind of the last count where the merchant counts blind; null elsewhere. `blind_total`: of the first count, if it was blind.
alter table collections add column count_sight text check (count_sight in ('blind', 'seen', 'again'));
alter table collections add column blind_total bigint;
