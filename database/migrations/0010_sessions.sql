-- A signed token lives on by itself after its session has ended. What ends a person's sessions sets this instant, and every token
-- that was made before it is refused. Read with the person on every request, by the index of issuer and subject; null: never set.
alter table users add column sessions_valid_from timestamptz;
