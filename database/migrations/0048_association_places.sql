-- Local: networks from which machines of a merchant were associated, as keyed digests. An attempt from such a network is
-- compared with the PIN although PINs are being guessed elsewhere.
create table association_places (
  merchant_id uuid not null,
  place text not null,
  last_at timestamptz not null,
  primary key (merchant_id, place)
);
grant select, insert, update, delete on association_places to gettone_system;
