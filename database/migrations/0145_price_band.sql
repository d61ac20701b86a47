-- A new price that differs from the price before by more than this needs a confirmation of its own. In percent, up and down.
alter table merchant_settings add column price_band_percent int not null default 30
  check (price_band_percent between 1 and 1000);
