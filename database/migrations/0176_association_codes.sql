-- Local: one-time codes with which one machine joins a merchant, as keyed digests. A merchant has one code per serial.
create table association_codes (
  digest text primary key,
  merchant_id uuid not null,
  serial text not null,
  expires_at timestamptz not null,
  unique (merchant_id, serial)
);
-- Ended codes are deleted with each new one.
create index association_codes_by_end on association_codes (expires_at);
grant select, insert, update, delete on association_codes to gettone_system;
