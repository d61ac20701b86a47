-- When the admins were mailed that a token is about to end.
alter table api_tokens add column warned_at timestamptz;
