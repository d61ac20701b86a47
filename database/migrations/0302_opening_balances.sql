-- The balance with which a medium came from another system, as an import booked it. A medium has one: the same file again books nothing. It is deleted when the import is
-- undone; the operations of the ledger stay.
create table media_openings (
  merchant_id uuid not null,
  media_id uuid not null,
  import_id uuid not null,
  credit bigint not null check (credit >= 0),
  bonus bigint not null check (bonus >= 0),
  primary key (merchant_id, media_id),
  foreign key (merchant_id, media_id) references medias (merchant_id, id) on delete cascade
);
call guard_tenant_table('media_openings');
