-- An item that cannot be booked is acknowledged only when a complete copy of it is kept. Such a letter names the machine and the number
-- that its journal passed over; letters without a number are noise, of which no more than some is kept.

alter table dead_letters
  add column machine_id uuid,
  add column epoch int,
  add column seq bigint;
-- Each item is kept once, however often it is sent; and how many are kept of a machine is counted before it may add to them.
create unique index dead_letters_by_item on dead_letters (machine_id, epoch, seq) where seq is not null;
-- What is trimmed hourly.
create index dead_letters_noise on dead_letters (at) where seq is null;
