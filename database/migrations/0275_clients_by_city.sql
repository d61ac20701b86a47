-- Clients without a city are last in both directions.
drop index clients_by_city;
create index clients_by_city on clients (merchant_id, lower(city), id);
