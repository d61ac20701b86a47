-- Places by postal code, to complete an address by. They belong to no tenant and are the same for all; they are filled by
-- import:postal-codes and read by one endpoint. Out of the tenant role's reach, which has no use for them, so that COPY may fill them.
create table postal_codes (
  country text not null check (country ~ '^[A-Z]{2}$'),
  -- Capitals and digits alone. In the C collation, so that the primary key finds a code and all that begin like it.
  compact text collate "C" not null check (compact ~ '^[0-9A-Z]+$'),
  place text not null,
  province text not null,
  -- As the country writes it.
  code text not null,
  latitude double precision,
  longitude double precision,
  primary key (country, compact, place, province)
);
grant select, insert, delete on postal_codes to gettone_system;
