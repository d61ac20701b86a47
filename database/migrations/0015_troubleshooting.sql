-- What to do about an alarm, by its code; how many selections may run short before a refill is due; how dirty the sensors are.

-- Local: written by the provider for all merchants, read by everybody through one endpoint. Found by its key alone. A text that was
-- taken away stays as an empty one, so that its version goes on.
create table troubleshooting_texts (
  -- Without a selection, as one text speaks for all of them.
  code text not null check (length(code) between 1 and 20),
  language text not null check (language in ('it', 'es', 'en', 'fr', 'de', 'pt')),
  -- HTML of the contract's allow-list, its images in it.
  content text not null check (length(content) <= 900000),
  version int not null default 1,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (code, language)
);
grant select, insert, update on troubleshooting_texts to gettone_system;

-- So many selections that are sold out or run low make the alarm of low stock.
alter table merchant_settings
  add column low_stock_selections int not null default 3 check (low_stock_selections between 1 and 200);
