-- What a token may call, by scope. Tokens from before have none and keep their areas (permissions); newer tokens have no areas, so that programs of
-- the version before open nothing to them.
alter table api_tokens add column scopes text[] check (cardinality(scopes) > 0);
alter table api_tokens drop constraint api_tokens_permissions_check;
alter table api_tokens add constraint api_tokens_opens_something check (cardinality(permissions) > 0 or scopes is not null);
