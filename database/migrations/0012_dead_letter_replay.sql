-- What could not be understood may be told to the gateway once more, after a mend. Who asked for it, and what became of it.

alter table dead_letters
  add column replay_requested_at timestamptz,
  add column replay_requested_by text,
  add column replayed_at timestamptz,
  add column replay_outcome text check (replay_outcome in ('stored', 'repeated', 'refused')),
  add column replay_detail text;
grant update on dead_letters to gettone_system;
-- The gateway looks for what waits to be told again; nearly always there is nothing.
create index dead_letters_to_replay on dead_letters (replay_requested_at)
  where replay_requested_at is not null and replayed_at is null;
