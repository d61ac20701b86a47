-- Receivers of events outside. A key to merchants is added after the guard, which distributes the table.
create table webhooks (
  merchant_id uuid not null,
  id uuid not null,
  name text not null check (length(name) between 1 and 100),
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  is_enabled boolean not null,
  version int not null default 1,
  created_at timestamptz not null,
  -- Sealed. Null: it has none yet, and nothing is sent.
  secret text,
  secret_made_at timestamptz,
  -- The secret before the last rotation, which signs as well until then.
  former_secret text,
  former_until timestamptz,
  -- The first of the attempts that all failed, their number, and when the next one is due.
  failing_since timestamptz,
  failures int not null default 0,
  retry_at timestamptz,
  -- When the server disabled it.
  stopped_at timestamptz,
  primary key (merchant_id, id),
  check ((secret is null) = (secret_made_at is null)),
  check ((former_secret is null) = (former_until is null))
);
call guard_tenant_table('webhooks');
call read_scope_once('webhooks');
alter table webhooks add foreign key (merchant_id) references merchants (id);
create unique index webhooks_by_name on webhooks (merchant_id, lower(name));
call make_searchable('webhooks', '{name,url}');

-- What is sent to a webhook, noted in the transaction of its fact. Without a key to the webhook: the deletion of one must not wait for
-- machines, nor they for it.
create table webhook_messages (
  merchant_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event text not null,
  at timestamptz not null,
  noted_at timestamptz not null,
  -- JSON as text: a repeated request has the same bytes.
  data text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  attempts int not null default 0,
  -- Later than now while a worker sends it.
  next_attempt_at timestamptz not null,
  attempted_at timestamptz,
  status int,
  fault text,
  answer text,
  millis int,
  primary key (merchant_id, webhook_id, id)
);
call guard_tenant_table('webhook_messages');
call read_scope_once('webhook_messages');
-- A worker takes due messages, oldest first.
create index webhook_messages_due on webhook_messages (merchant_id, webhook_id, next_attempt_at) where state = 'waiting';
-- The log shows the newest first; a replay takes a period.
create index webhook_messages_by_time on webhook_messages (merchant_id, webhook_id, at desc, id desc);
-- Old ones are deleted.
create index webhook_messages_by_age on webhook_messages (noted_at);
