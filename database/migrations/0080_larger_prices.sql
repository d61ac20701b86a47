-- A price may be a million pesos of Colombia, which are stored with two decimals: the ten thousand of before buy no sandwich there.
alter table machine_prices
  drop constraint machine_prices_wanted_check,
  add constraint machine_prices_wanted_check check (wanted between 0 and 100000000);
alter table planned_prices
  drop constraint planned_prices_price_check,
  add constraint planned_prices_price_check check (price between 0 and 100000000);
