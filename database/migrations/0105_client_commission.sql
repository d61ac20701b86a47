-- What a client gets of the sales at its place: percent with up to two decimals of sales less refunds, or minor units per vend.
alter table clients
  add column commission_kind text not null default 'none' check (commission_kind in ('none', 'percent', 'perVend')),
  add column commission_percent numeric(5, 2) check (commission_percent between 0 and 100),
  add column commission_per_vend bigint check (commission_per_vend between 0 and 1000000000),
  add check (commission_kind <> 'percent' or commission_percent is not null),
  add check (commission_kind <> 'perVend' or commission_per_vend is not null);
